import type { RequestHandler } from 'express';
import * as singleChecks from '../../../db/batches/single-checks.ts';
import { checkTypes } from '../../../schemas/check-types.ts';
import { totalMax } from '../../api/lists.ts';
import type { DashboardContext } from '../context.ts';
import { toDetailedItemView } from '../evidence/evidence.ts';
import { createPager, readPageNumber } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';

const perPage = 25;

/** List of the checks that the API's endpoints for single checks have made. */
export function singleCheckPages(context: DashboardContext) {
  const { db, config } = context;
  const { days } = config.retention;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const page = readPageNumber(req);
    const [total, rows] = await Promise.all([
      singleChecks.count(db, accountId, days, totalMax + 1),
      singleChecks.list(db, accountId, days, { limit: perPage, offset: (page - 1) * perPage }),
    ]);
    const data = {
      checks: rows.map((item) => ({ ...toDetailedItemView(item), typeName: checkTypes[item.type].title })),
      pager: createPager(req, { page, perPage, shown: rows.length, total, totalMax }),
    };
    await showPage(context, req, res, { view: 'singles', title: 'Single checks', data });
  };

  return { show };
}
