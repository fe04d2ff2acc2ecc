import type { Allowance, UnpaidWork } from '../accounts/allowance.ts';
import { keptRows } from '../accounts/unpaid.ts';
import type { Act } from '../db/act.ts';
import * as batches from '../db/batches.ts';
import * as chunks from '../db/chunks.ts';
import type { Db } from '../db/connect.ts';
import * as items from '../db/items.ts';
import { record, type Till } from './record.ts';
import { noBatch } from './refusals.ts';

/** What canceling takes from the process. */
export interface Canceler extends Till {
  db: Db;
  allowance: Pick<Allowance, 'spend' | 'takeLast'>;
}

/**
 * Fails everything of a batch that has no outcome yet, with refunds, and so ends it; one that had ended
 * before is left as it is. Answers the batch as it is then. Refused when the account has no such batch, and
 * when nothing is left of its allowance.
 */
export function cancel(canceler: Canceler, ref: batches.BatchRef): Act<batches.BatchRow> {
  const { db, allowance } = canceler;
  let pagesTaken = 0;
  return {
    before: async () => {
      const batch = await batches.find(db, ref);
      if (!batch || batch.completedAt) return;
      const open = await chunks.unsettled(db, ref);
      pagesTaken = pagesOf(open);
      await allowance.takeLast(ref.accountId, unpaidBy(open));
    },
    perform: async (trx) => {
      const batch = await batches.lock(trx, ref);
      if (!batch) throw noBatch();
      if (batch.completedAt) return batch;
      const open = await chunks.unsettled(trx, ref);
      // Of a chunk that was put back meanwhile.
      const upstreamPages = Math.max(0, pagesOf(open) - pagesTaken);
      // Of what acceptance has taken, the call is given back where an answer pays for it.
      const deliveries = batch.webhookUrl && batch.successful > 0 ? -1 : 0;
      await allowance.spend(ref.accountId, { upstreamPages, deliveries }, trx);
      const canceled = open.map((input) => items.failedItem(input, 'canceled'));
      await record(trx, canceler, ref, canceled, { isCanceled: true });
      return (await batches.find(trx, ref)) ?? batch;
    },
  };
}

/** What was stored only to be canceled, and pages bought. */
function unpaidBy(open: chunks.OpenInput[]): UnpaidWork {
  return { keptRows: keptRows(open.map(({ input }) => input)), upstreamPages: pagesOf(open) };
}

/** Those of a check that is under way are counted by its worker. */
function pagesOf(open: chunks.OpenInput[]): number {
  return open.reduce((sum, { pagesBefore }) => sum + pagesBefore, 0);
}
