import type { PgBoss } from 'pg-boss';
import type { Allowance, UnpaidWork } from '../accounts/allowance.ts';
import { keptRows } from '../accounts/unpaid.ts';
import * as batches from '../db/batches.ts';
import * as chunks from '../db/chunks.ts';
import type { Trx } from '../db/connect.ts';
import * as items from '../db/items.ts';
import * as ledger from '../db/ledger.ts';
import { owe } from '../webhooks/owe.ts';

export interface Recorded {
  /** Items that had no outcome before; what others recorded first is not touched, counted or refunded. */
  inserted: number;
  /** True when the batch has ended, now or earlier. */
  isOver: boolean;
}

/** What settling takes from the process. */
export interface Till {
  boss: PgBoss;
  allowance: Pick<Allowance, 'spend'>;
}

/**
 * Records outcomes of a batch: inserts them, advances the counters, refunds the failed ones and, if these
 * were the last, ends the batch and owes its delivery, all in the caller's transaction.
 */
export async function record(
  trx: Trx,
  till: Till,
  ref: batches.BatchRef,
  outcomes: items.NewItem[],
): Promise<Recorded> {
  const batch = await batches.lock(trx, ref);
  if (!batch || batch.completedAt) return { inserted: 0, isOver: true };
  return settle(trx, till, batch, outcomes);
}

/** The same for a batch that the transaction has locked and that has not ended. */
export async function settle(
  trx: Trx,
  { boss, allowance }: Till,
  batch: batches.BatchRow,
  outcomes: items.NewItem[],
  { isCanceled = false } = {},
): Promise<Recorded> {
  const { accountId, batchId, type } = batch;
  const inserted = await items.insert(trx, { accountId, batchId, type }, outcomes);
  const failed = inserted.filter(({ result }) => 'error' in result).length;
  await chunks.addSettled(trx, accountId, countByChunk(inserted));
  const successful = batch.successful + inserted.length - failed;
  const { isOver } = await batches.advance(trx, batch, {
    successful,
    failed: batch.failed + failed,
    summary: addTallies(batch.summary, inserted),
    isCanceled,
  });
  if (failed > 0) await ledger.refund(trx, accountId, failed, { batchId });
  if (isOver) {
    await allowance.spend(accountId, unpaidAtEnd(batch, successful, isCanceled ? inserted : []), trx);
    if (batch.webhookUrl) await owe(trx, boss, { accountId, batchId, url: batch.webhookUrl });
  }
  return { inserted: inserted.length, isOver };
}

/**
 * What was stored only to be canceled. Acceptance has taken the batch and its receiver's call already: it is given back
 * where an answer pays for the call, and for a batch that was not canceled.
 */
function unpaidAtEnd(
  { options, webhookUrl }: batches.BatchRow,
  successful: number,
  canceled: items.NewItem[],
): UnpaidWork {
  return {
    keptRows: canceled.length > 0 ? keptRows(canceled.map(({ input }) => input)) : -keptRows([options]),
    deliveries: webhookUrl && successful > 0 ? -1 : 0,
  };
}

function countByChunk(outcomes: items.NewItem[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { chunkId } of outcomes) counts.set(chunkId, (counts.get(chunkId) ?? 0) + 1);
  return counts;
}

function addTallies(summary: Record<string, number>, outcomes: items.NewItem[]): Record<string, number> {
  const sums = { ...summary };
  for (const { result } of outcomes) {
    if ('error' in result) continue;
    for (const word of result.tally) sums[word] = (sums[word] ?? 0) + 1;
  }
  return sums;
}
