import type { PgBoss } from 'pg-boss';
import type { Act } from '../db/act.ts';
import type { Trx } from '../db/connect.ts';
import { enqueueChunks } from '../db/queue.ts';
import { type Growth, type JobWindow, jobsMax, takeNext } from '../db/windows.ts';

/** Of chunks that have just been accepted: what two workers hold of an account. */
const atFirst: Growth = { more: 10, most: 10 };

/** Enqueues the first chunks of what was accepted, unless the account has as many before it; its turns are taken. */
export async function open(trx: Trx, boss: PgBoss, window: JobWindow): Promise<void> {
  await grow(trx, boss, window, atFirst);
}

/**
 * Enqueues two waiting chunks for each that had a job and has come to its end: so a window that is worked off grows to
 * its full size, and few jobs are written for what comes to nothing. Comes before the allowance and what is owed.
 */
export async function succeed(trx: Trx, boss: PgBoss, window: JobWindow, endedJobs: number): Promise<void> {
  if (endedJobs > 0) await grow(trx, boss, window, { more: 2 * endedJobs, most: jobsMax });
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
