import type { PgBoss } from 'pg-boss';
import type { Act } from '../db/postgres/act.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueChunks } from '../db/queue/queue.ts';
import { type Growth, type JobWindow, jobsMax, jobsMin, takeNext } from '../db/queue/windows.ts';

/** Of chunks that have just been accepted. */
const atFirst: Growth = { more: jobsMin, most: jobsMin };

/** Enqueues the first chunks of what was accepted, unless the account has as many before it; its turns are taken. */
export async function open(trx: Trx, boss: PgBoss, window: JobWindow): Promise<void> {
  await grow(trx, boss, window, atFirst);
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
export async function succeed(
  trx: Trx,
  boss: PgBoss,
  window: JobWindow,
  { endedJobs, waitedMs }: { endedJobs: number; waitedMs: WaitedMs },
): Promise<void> {
  if (endedJobs > 0) await grow(trx, boss, window, growthAfter(endedJobs, waitedMs ?? 0));
}

function growthAfter(endedJobs: number, waitedMs: number): Growth {
  const more = waitedMs <= promptMs ? 2 * endedJobs : endedJobs;
  return { more, most: waitedMs <= idleMs ? jobsMax : jobsMin };
}

/** Fills a window that has stayed behind. Answers how many chunks have got a job. */
export function fill(boss: PgBoss, window: JobWindow): Act<number> {
  return { perform: (trx) => grow(trx, boss, window, { more: jobsMax, most: jobsMax }) };
}

async function grow(trx: Trx, boss: PgBoss, window: JobWindow, growth: Growth): Promise<number> {
  const jobs = await takeNext(trx, window, growth);
  if (jobs.length > 0) await enqueueChunks(boss, trx, window.type, jobs);
  return jobs.length;
}
