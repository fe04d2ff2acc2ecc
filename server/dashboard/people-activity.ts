import { stringify } from 'csv-stringify/sync';
import type { RequestHandler } from 'express';
import * as activity from '../../db/activity.ts';
import { activityBody } from '../../wire/person-bodies.ts';
import { totalMax } from '../api/lists.ts';
import type { DashboardContext } from './context.ts';
import { pageOf, pagerOf } from './paging.ts';
import { showPage } from './render.ts';
import { sessionOf } from './visitors.ts';

const perPage = 50;
const exportMax = 10_000;

/** Who did what in the account, for its owners. */
export function activityPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    const page = pageOf(req);
    const total = await activity.count(db, accountId, totalMax + 1);
    const rows = await activity.list(db, accountId, { limit: perPage, offset: (page - 1) * perPage });
    const data = {
      entries: rows.map((row) => ({ ...row, ...activityBody(row) })),
      pager: pagerOf(req, { page, perPage, shown: rows.length, total, totalMax }),
    };
    await showPage(context, req, res, { view: 'people-activity', title: 'Activity', data });
  };

  /** The latest ten thousand, which is all for most. */
  const csv: RequestHandler = async (req, res) => {
    const rows = await activity.list(db, sessionOf(req).accountId, { limit: exportMax });
    const columns = ['created_at', 'what', 'about', 'email', 'token_name', 'address'];
    res.attachment('activity.csv').type('text/csv');
    // A spreadsheet would take what begins so for a formula.
    res.send(stringify(rows.map(activityBody), { columns, header: true, escape_formulas: true, bom: true }));
  };

  return { show, csv };
}
