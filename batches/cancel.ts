import type { Act } from '../db/act.ts';
import * as batches from '../db/batches.ts';
import * as chunks from '../db/chunks.ts';
import * as items from '../db/items.ts';
import { record, type Till } from './record.ts';
import { noBatch } from './refusals.ts';

/**
 * Fails everything of a batch that has no outcome yet, with refunds, and so ends it; one that had ended
 * before is left as it is. Answers the batch as it is then. Refused when the account has no such batch.
 */
export function cancel(till: Till, ref: batches.BatchRef): Act<batches.BatchRow> {
  return {
    perform: async (trx) => {
      const batch = await batches.lock(trx, ref);
      if (!batch) throw noBatch();
      if (batch.completedAt) return batch;
      const open = await chunks.unsettled(trx, ref);
      const canceled = open.map((input) => items.failedItem(input, 'canceled'));
      await record(trx, till, ref, canceled, { isCanceled: true });
      return (await batches.find(trx, ref)) ?? batch;
    },
  };
}
