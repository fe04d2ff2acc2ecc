import type { PgBoss } from 'pg-boss';
import type { Allowance, UnbilledWork } from '../accounts/allowance.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import type { NewItem } from '../db/batches/items.ts';
import * as outcomes from '../db/batches/outcomes.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueChunks, enqueueRun } from '../db/queue/queue.ts';
import { refill } from '../db/queue/windows.ts';
import type { ItemError } from '../schemas/failures.ts';
import { owe } from '../webhooks/owe.ts';

export interface Recorded {
  /** Items that had no outcome before; what others recorded first is not touched, counted or refunded. */
  inserted: number;
  /** True when the batch has ended, now or earlier. */
  isOver: boolean;
}

export interface RecordDeps {
  boss: PgBoss;
  allowance: Pick<Allowance, 'recordUnbilled'>;
}

/**
 * Records outcomes of a batch: inserts them, advances the counters, refunds the failed ones, enqueues the account's
 * next chunks for those that have come to their end and, if these were the last, ends the batch, enqueues its
 * delivery and resumes its run, all in the caller's transaction. `canceled`: these are the rest, which will not be
 * checked, and that is what they add to the allowance.
 */
export async function record(
  trx: Trx,
  { boss, allowance }: RecordDeps,
  { accountId, batchId }: batches.BatchRef,
  items: NewItem[],
  { canceled }: { canceled?: UnbilledWork } = {},
): Promise<Recorded> {
  const isCanceled = canceled !== undefined;
  const batch = await outcomes.record(trx, { accountId, batchId }, items, { isCanceled });
  if (!batch) return { inserted: 0, isOver: true };
  const { inserted, isOver, webhookUrl, type, endedJobs } = batch;
  if (endedJobs > 0) await refill(trx, boss, { accountId, type });
  if (isOver) {
    // After the account's row, as everywhere.
    await allowance.recordUnbilled(trx, accountId, canceled ?? unbilledAtEnd(batch));
    if (webhookUrl) await owe(trx, boss, { accountId, eventId: batchId, url: webhookUrl });
    const runId = await batches.runOf(trx, { accountId, batchId });
    if (runId) await enqueueRun(boss, trx, { accountId, runId });
  }
  const { tokenId, chargedMonth: month, refunded } = batch;
  // After the account's row, as a charge does.
  if (tokenId !== null && refunded > 0) await spending.giveBack(trx, { tokenId, month }, refunded);
  return { inserted: inserted.length, isOver };
}

/** Returns the delivery of a batch without an answer that pays for it. */
function unbilledAtEnd({ webhookUrl, successful, isTest }: outcomes.RecordedOutcomes): UnbilledWork {
  // Of a test it was counted when that was accepted.
  return { deliveries: webhookUrl && successful === 0 && !isTest ? 1 : 0 };
}

/** The rest of a chunk, to be carried on by another job. */
export interface Rest {
  nextJobId: string;
  /** 0 where it is to go on at once. */
  startAfterSeconds: number;
  /** The failure that it waits to be over, which the batch then shows; null for any other pause. */
  waitingFor: ItemError | null;
}

/**
 * Hands what is left of a chunk to another job, in the caller's transaction; nothing, when a third one has taken its
 * place. A paused chunk makes room for others of its account.
 */
export async function handToSuccessor(
  trx: Trx,
  boss: PgBoss,
  work: chunks.Work,
  { nextJobId: jobId, startAfterSeconds, waitingFor }: Rest,
): Promise<void> {
  if (!(await chunks.handOver(trx, work, jobId, startAfterSeconds))) return;
  const { accountId, batchId, chunkId, type } = work;
  if (waitingFor) await batches.setWaiting(trx, work, waitingFor, startAfterSeconds);
  if (startAfterSeconds > 0) await refill(trx, boss, { accountId, type });
  await enqueueChunks(boss, trx, type, [{ jobId, accountId, batchId, chunkId, startAfterSeconds }]);
}
