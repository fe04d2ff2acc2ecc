import type { RequestHandler } from 'express';
import * as batches from '../../../db/batches/batches.ts';
import * as items from '../../../db/batches/items.ts';
import { parseId } from '../../../schemas/id.ts';
import { notFound } from '../../http/errors.ts';
import { toBatchView } from '../batches/batch-view.ts';
import type { DashboardContext } from '../context.ts';
import { toDetailedItemView } from '../evidence/evidence.ts';
import { findResultsPage } from '../evidence/results-page.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';

/** Page of one rank check, single or of a batch, with the results page of Google. */
export function rankCheckPages(context: DashboardContext) {
  const { db, config } = context;
  const { days } = config.retention;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const requestId = parseId(req.params.request_id) ?? 0;
    const item =
      (await items.find(db, { accountId, requestId }, days)) ??
      (await items.find(db, { accountId, requestId, isTest: true }, days));
    if (item?.type !== 'keyword' || item.state !== 'success')
      throw notFound('No rank check with this id in your account, or it is no longer stored.');
    const { batchId } = item;
    const batch = batchId === null ? null : await batches.find(db, { accountId, batchId });
    const page = await findResultsPage(db, accountId, item);
    // The evidence leaves out the overview and the features, because the page shows both next to the results.
    const { ai_overview: _, features: __, ...outcome } = item.outcome;
    const check = toDetailedItemView({ ...item, outcome }, batch ?? {});
    const data = { check, batch: batch && toBatchView(batch), page };
    await showPage(context, req, res, { view: 'rank-check', title: check.asked, data });
  };

  return { show };
}
