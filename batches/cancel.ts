import type { UnbilledWork } from '../accounts/allowance.ts';
import { keptRows } from '../accounts/unbilled.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { type RecordDeps, record } from './record.ts';
import { noBatch } from './refusals.ts';

/**
 * Fails everything of a batch that has no outcome yet, with refunds, and so ends it; one that had ended before is left
 * as it is. Returns the batch as it is then. Throws ApiError when the account has no such batch.
 */
export async function cancel(trx: Trx, deps: RecordDeps, ref: batches.BatchRef): Promise<batches.BatchRow> {
  const batch = await batches.lock(trx, ref);
  if (!batch) throw noBatch();
  if (batch.completedAt) return batch;
  const open = await chunks.unsettled(trx, batch);
  const canceled = open.map((input) => items.failedItem(input, 'canceled'));
  await record(trx, deps, ref, canceled, { canceled: unbilledByCancel(batch, open) });
  return (await batches.find(trx, ref)) ?? batch;
}

/** Returns the unbilled work of a canceled batch: its rows and its delivery. Workers count checks that still run. */
function unbilledByCancel(
  { options, webhookUrl, successful, isTest }: batches.BatchRow,
  open: chunks.OpenInput[],
): UnbilledWork {
  // All that is kept of a test, and its delivery, was counted when it was accepted.
  if (isTest) return {};
  return {
    keptRows: keptRows([options, ...open.map(({ input }) => input)]),
    deliveries: webhookUrl && successful === 0 ? 1 : 0,
  };
}
