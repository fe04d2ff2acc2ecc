import type { PgBoss } from 'pg-boss';
import type { Allowance, UnpaidWork } from '../accounts/allowance.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import type { NewItem } from '../db/batches/items.ts';
import * as outcomes from '../db/batches/outcomes.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueChunks, enqueueRun } from '../db/queue/queue.ts';
import { type Growth, type JobWindow, jobsMax, jobsMin, takeNext } from '../db/queue/windows.ts';
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
  allowance: Pick<Allowance, 'spend'>;
}

/** How outcomes have come about, where that makes a difference. */
export interface Circumstances {
  /** How long the job that brought them had been due when it was taken up; missing where none brought them. */
  waitedMs?: WaitedMs;
  /** They are the rest, which will not be checked: what that adds to the allowance. */
  canceled?: UnpaidWork;
}

/**
 * Records outcomes of a batch: inserts them, advances the counters, refunds the failed ones, enqueues the account's
 * next chunks for those that have come to their end and, if these were the last, ends the batch, owes its delivery and
 * lets its run go on, all in the caller's transaction.
 */
export async function record(
  trx: Trx,
  { boss, allowance }: RecordDeps,
  { accountId, batchId }: batches.BatchRef,
  items: NewItem[],
  { waitedMs = null, canceled }: Circumstances = {},
): Promise<Recorded> {
  const isCanceled = canceled !== undefined;
  const batch = await outcomes.record(trx, { accountId, batchId }, items, { isCanceled });
  if (!batch) return { inserted: 0, isOver: true };
  const { inserted, isOver, webhookUrl, type, endedJobs } = batch;
  await enqueueNext(trx, boss, { accountId, type }, { endedJobs, waitedMs });
  if (isOver) {
    // After the account's row, as everywhere.
    await allowance.spend(accountId, canceled ?? unpaidAtEnd(batch), trx);
    if (webhookUrl) await owe(trx, boss, { accountId, eventId: batchId, url: webhookUrl });
    const runId = await batches.runOf(trx, { accountId, batchId });
    if (runId) await enqueueRun(boss, trx, { accountId, runId });
  }
  const { tokenId, chargedMonth: month, refunded } = batch;
  // After the account's row, as a charge does.
  if (tokenId !== null && refunded > 0) await spending.giveBack(trx, { tokenId, month }, refunded);
  return { inserted: inserted.length, isOver };
}

/** A receiver's call that no answer pays for. */
function unpaidAtEnd({ webhookUrl, successful, isTest }: outcomes.RecordedOutcomes): UnpaidWork {
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
 * place. One that is put off makes room for others of its account meanwhile, as one that has ended does.
 */
export async function handToSuccessor(
  trx: Trx,
  boss: PgBoss,
  work: chunks.Work,
  { nextJobId: jobId, startAfterSeconds, waitingFor }: Rest,
  waitedMs: WaitedMs,
): Promise<void> {
  if (!(await chunks.handOver(trx, work, jobId))) return;
  const { accountId, batchId, chunkId, turn, type } = work;
  if (waitingFor) await batches.setWaiting(trx, work, waitingFor, startAfterSeconds);
  if (startAfterSeconds > 0) await enqueueNext(trx, boss, { accountId, type }, { endedJobs: 1, waitedMs });
  await enqueueChunks(boss, trx, type, [{ jobId, accountId, batchId, chunkId, turn, startAfterSeconds }]);
}

/** How long the jobs that ended had been due when they were taken up; null where nobody took them up. */
export type WaitedMs = number | null;

// A job fetched within a second shows that workers would have taken more. Jobs that waited for ten seconds are more
// than workers take.
const [promptMs, idleMs] = [1_000, 10_000];

/**
 * Enqueues waiting chunks for jobs that have ended. While jobs are taken up promptly it enqueues two for each, so that
 * the window grows to a second's work; later it enqueues one for each. It enqueues none while more than the first ones
 * wait too long, because each fetch looks through all jobs of accounts that may hold no more. In the lock order this
 * comes before the allowance and the deliveries.
 */
async function enqueueNext(
  trx: Trx,
  boss: PgBoss,
  window: JobWindow,
  { endedJobs, waitedMs }: { endedJobs: number; waitedMs: WaitedMs },
): Promise<void> {
  if (endedJobs > 0) await enqueueMore(trx, boss, window, growthAfter(endedJobs, waitedMs ?? 0));
}

function growthAfter(endedJobs: number, waitedMs: number): Growth {
  const more = waitedMs <= promptMs ? 2 * endedJobs : endedJobs;
  return { more, most: waitedMs <= idleMs ? jobsMax : jobsMin };
}

/** Fills a window that has too few jobs. Returns how many chunks have got one. */
export function refill(trx: Trx, boss: PgBoss, window: JobWindow): Promise<number> {
  return enqueueMore(trx, boss, window, { more: jobsMax, most: jobsMax });
}

async function enqueueMore(trx: Trx, boss: PgBoss, window: JobWindow, growth: Growth): Promise<number> {
  const jobs = await takeNext(trx, window, growth);
  if (jobs.length > 0) await enqueueChunks(boss, trx, window.type, jobs);
  return jobs.length;
}
