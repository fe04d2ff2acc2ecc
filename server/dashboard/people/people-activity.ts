import type { RequestHandler } from 'express';
import * as activity from '../../../db/accounts/activity.ts';
import { activityBody } from '../../../wire/person-bodies.ts';
import { sendTable } from '../../api/results/export.ts';
import { createColumns } from '../../api/results/table.ts';
import type { DashboardContext } from '../context.ts';
import { readPage } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';

const perPage = 50;
const exportedAtOnce = 500;
const columns = createColumns('created_at', 'what', 'about', 'email', 'token_name', 'address');

export function activityPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const { rows, pager } = await readPage(req, perPage, {
      count: (max) => activity.count(db, accountId, max),
      list: (window) => activity.list(db, accountId, window),
    });
    const data = { entries: rows.map((row) => ({ ...row, ...activityBody(row) })), pager };
    await showPage(context, req, res, { view: 'people-activity', title: 'Activity', data });
  };

  /** Exports the whole log. Holds one page in memory at a time. */
  const csv: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const table = { accountId, fileName: 'activity', columns, pages: readPages(accountId) };
    await sendTable(context, res, table, { ending: 'csv', hasByteOrderMark: true });
  };

  async function* readPages(accountId: number) {
    let after: activity.ActivityCursor | undefined;
    do {
      const rows = await activity.list(db, accountId, { limit: exportedAtOnce, after });
      yield rows.map(activityBody);
      after = rows.length === exportedAtOnce ? rows.at(-1) : undefined;
    } while (after);
  }

  return { show, csv };
}
