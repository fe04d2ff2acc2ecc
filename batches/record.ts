import type { PgBoss } from 'pg-boss';
import type { Allowance, UnbilledWork } from '../accounts/allowance.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import { type NewItem, type RecordedOutcomes, recordOutcomes } from '../db/batches/items.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { refill } from '../db/queue/job-windows.ts';
import { enqueueChunks, enqueueRun } from '../db/queue/queue.ts';
import type { ItemError } from '../schemas/failures.ts';
import { createDelivery } from '../webhooks/schedule.ts';

export interface RecordResult {
  /** Number of items that were new. Items that already had an outcome are not changed, counted or refunded. */
  inserted: number;
  /** True if the batch has ended, now or earlier. */
  isOver: boolean;
}

export interface RecordDeps {
  boss: PgBoss;
  allowance: Pick<Allowance, 'recordUnbilled'>;
}

/**
 * Records outcomes of a batch in the caller's transaction. Inserts items, updates counters, refunds failures and
 * enqueues the account's next chunks. The last outcome ends the batch, enqueues the batch's delivery and resumes the
 * monitor's run. To cancel a batch, pass its unbilled work as `canceled`, and a failed item for each input without an
 * outcome.
 */
export async function recordBatchOutcomes(
  trx: Trx,
  { boss, allowance }: RecordDeps,
  { accountId, batchId }: batches.BatchRef,
  items: NewItem[],
  { canceled }: { canceled?: UnbilledWork } = {},
): Promise<RecordResult> {
  const isCanceled = canceled !== undefined;
  const batch = await recordOutcomes(trx, { accountId, batchId }, items, { isCanceled });
  if (!batch) return { inserted: 0, isOver: true };
  const { inserted, isOver, webhookUrl, runId, type, endedJobs } = batch;
  if (endedJobs > 0) await refill(trx, boss, { accountId, type });
  if (isOver) {
    // This call locks the allowance. The account row must be locked earlier (docs/batches.md).
    await allowance.recordUnbilled(trx, accountId, canceled ?? unbilledAtEnd(batch));
    if (webhookUrl) await createDelivery(trx, boss, { accountId, eventId: batchId, url: webhookUrl });
    if (runId) await enqueueRun(boss, trx, { accountId, runId });
  }
  await spending.refund(trx, { tokenId: batch.tokenId, month: batch.chargedMonth }, batch.refunded);
  return { inserted: inserted.length, isOver };
}

/** Returns the delivery as unbilled work if no check of the batch was successful. */
function unbilledAtEnd({ webhookUrl, successful, isTest }: RecordedOutcomes): UnbilledWork {
  // The delivery of a test batch is counted when the batch is accepted.
  return { deliveries: webhookUrl && successful === 0 && !isTest ? 1 : 0 };
}

export interface SuccessorJob {
  nextJobId: string;
  /** 0 to start immediately. */
  startAfterSeconds: number;
  /** The provider failure that delays the job, shown on the batch; null if the delay has another reason. */
  waitingFor: ItemError | null;
}

/**
 * Hands the remaining inputs of a chunk to a new job, in the caller's transaction. Does nothing if the chunk already
 * has another job. If the new job starts later, the account's next chunks are enqueued now.
 */
export async function handToSuccessor(
  trx: Trx,
  boss: PgBoss,
  work: chunks.ChunkWork,
  { nextJobId: jobId, startAfterSeconds, waitingFor }: SuccessorJob,
): Promise<void> {
  if (!(await chunks.handToSuccessor(trx, work, jobId, startAfterSeconds))) return;
  const { accountId, batchId, chunkId, type } = work;
  if (waitingFor) await batches.setWaiting(trx, work, waitingFor, startAfterSeconds);
  if (startAfterSeconds > 0) await refill(trx, boss, { accountId, type });
  await enqueueChunks(boss, trx, type, [{ jobId, accountId, batchId, chunkId, startAfterSeconds }]);
}
