import type { UnbilledWork } from '../accounts/allowance.ts';
import { countStoredRows } from '../accounts/unbilled.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { batchNotFound } from './errors.ts';
import { type RecordDeps, recordBatchOutcomes } from './record.ts';

/**
 * Cancels a batch. Inputs without an outcome fail and are refunded. Does nothing if the batch has already ended.
 * Returns the updated batch. Throws ApiError if the account has no such batch.
 */
export async function cancelBatch(
  trx: Trx,
  deps: RecordDeps,
  ref: batches.BatchRef,
): Promise<batches.BatchRow> {
  const batch = await batches.lock(trx, ref);
  if (!batch) throw batchNotFound();
  if (batch.completedAt) return batch;
  const open = await chunks.listUnsettled(trx, batch);
  const canceled = open.map((input) => items.createFailedItem(input, 'canceled'));
  await recordBatchOutcomes(trx, deps, ref, canceled, { canceled: unbilledByCancel(batch, open) });
  return (await batches.find(trx, ref)) ?? batch;
}

/**
 * Returns the unbilled work that a cancellation causes: stored rows and the delivery. Checks in flight are not
 * included: the workers record them when they end.
 */
function unbilledByCancel(
  { options, webhookUrl, successful, isTest }: batches.BatchRow,
  open: chunks.UnsettledInput[],
): UnbilledWork {
  // Rows and delivery of a test batch were counted when the batch was accepted.
  if (isTest) return {};
  return {
    keptRows: countStoredRows([options, ...open.map(({ input }) => input)]),
    deliveries: webhookUrl && successful === 0 ? 1 : 0,
  };
}
