import type { RequestHandler } from 'express';
import * as singleChecks from '../../../db/batches/single-checks.ts';
import { checkTypes } from '../../../schemas/check-types.ts';
import type { DashboardContext } from '../context.ts';
import { toDetailedItemView } from '../evidence/evidence.ts';
import { readPage } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';

const perPage = 25;

/** List of the checks that the API's endpoints for single checks have made. */
export function singleCheckPages(context: DashboardContext) {
  const { db, config } = context;
  const { days } = config.retention;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const { rows, pager } = await readPage(req, perPage, {
      count: (max) => singleChecks.count(db, accountId, days, max),
      list: (window) => singleChecks.list(db, accountId, days, window),
    });
    const data = {
      checks: rows.map((item) => ({ ...toDetailedItemView(item), typeName: checkTypes[item.type].title })),
      pager,
    };
    await showPage(context, req, res, { view: 'singles', title: 'Single checks', data });
  };

  return { show };
}
