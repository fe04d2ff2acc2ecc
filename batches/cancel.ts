import type { Allowance, UnpaidWork } from '../accounts/allowance.ts';
import { givenBack, keptRows, sumOf } from '../accounts/unpaid.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { type RecordDeps, record } from './record.ts';
import { noBatch } from './refusals.ts';

/** Takes the allowance for canceling a batch, before the transaction. Throws ApiError when nothing is left of it. */
export async function prepareCancel(
  { db, allowance }: { db: Db; allowance: Allowance },
  ref: batches.BatchRef,
): Promise<UnpaidWork> {
  const batch = await batches.find(db, ref);
  if (!batch || batch.completedAt) return {};
  const taken = unpaidBy(batch, await chunks.unsettled(db, batch));
  await allowance.takeLast(ref.accountId, taken);
  return taken;
}

/**
 * Fails everything of a batch that has no outcome yet, with refunds, and so ends it; one that had ended before is left
 * as it is. Returns the batch as it is then. Throws ApiError when the account has no such batch. `taken`: what
 * `prepareCancel` returned.
 */
export async function cancel(
  trx: Trx,
  deps: RecordDeps,
  ref: batches.BatchRef,
  taken: UnpaidWork = {},
): Promise<batches.BatchRow> {
  const batch = await batches.lock(trx, ref);
  if (!batch) throw noBatch();
  if (batch.completedAt) {
    await deps.allowance.spend(ref.accountId, givenBack(taken), trx);
    return batch;
  }
  const open = await chunks.unsettled(trx, batch);
  const canceled = open.map((input) => items.failedItem(input, 'canceled'));
  // Some may have been answered or put back since the allowance was taken.
  const unpaid = sumOf([unpaidBy(batch, open), givenBack(taken)]);
  await record(trx, deps, ref, canceled, { canceled: unpaid });
  return (await batches.find(trx, ref)) ?? batch;
}

/** Unbilled work of a canceled batch: its rows and its webhook. Workers count checks that still run. */
function unpaidBy(
  { options, webhookUrl, successful, isTest }: batches.BatchRow,
  open: chunks.OpenInput[],
): UnpaidWork {
  // All that is kept of a test, and its call, was counted when it was accepted.
  if (isTest) return {};
  return {
    keptRows: keptRows([options, ...open.map(({ input }) => input)]),
    deliveries: webhookUrl && successful === 0 ? 1 : 0,
  };
}
