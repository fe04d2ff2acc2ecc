import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type CheckType, checkTypeNames } from '../../schemas/check-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { type ChunkJob, countJobs, enqueueChunks, type JobCount, queueOf } from './queue.ts';

/**
 * Maximum number of an account's chunks of one type that have a job. Other chunks wait. A worker runs at most five
 * chunks of an account at a time. More jobs would slow down each fetch, because a fetch scans the jobs of all accounts
 * at their limit.
 */
export const jobsPerWindow = 20;
/** Limit that includes paused chunks, which occupy no worker. `fill_job_window` has the same limit. */
export const windowJobsMax = 5 * jobsPerWindow;

interface JobWindow {
  accountId: number;
  type: CheckType;
}

/**
 * Enqueues the account's longest waiting chunks until the window is full. Returns the number of enqueued chunks. Locks
 * the account row. In the lock order, this row comes before the allowance and the deliveries.
 */
export async function refill(trx: Trx, boss: PgBoss, { accountId, type }: JobWindow): Promise<number> {
  const { rows } = await sql<{ jobs: ChunkJob[] }>`
    select fill_job_window(${accountId}::bigint, ${type}::text, ${jobsPerWindow}::integer) as jobs`.execute(
    trx,
  );
  const jobs = rows[0]?.jobs ?? [];
  if (jobs.length > 0) await enqueueChunks(boss, trx, type, jobs);
  return jobs.length;
}

/**
 * Returns at most `limit` windows that are not full although chunks wait. The window with the fewest jobs comes first.
 * Ignores check types that this process does not know.
 */
export async function findUnderfilled(db: Db, limit: number): Promise<JobWindow[]> {
  // The query starts with open batches, because they are far fewer than waiting chunks.
  const { rows } = await sql<JobWindow>`
    with open as (
      select account_id, type from batches
      where completed_at is null and type = any(${[...checkTypeNames]}::text[])
      group by account_id, type),
    queued as (
      select account_id, type, count(*) as jobs,
        count(*) filter (where paused_until is null or paused_until <= now()) as due
      from chunks
      where job_id is not null and settled < size
      group by account_id, type)
    select account_id, type from open left join queued using (account_id, type)
    where coalesce(due, 0) < ${jobsPerWindow} and coalesce(jobs, 0) < ${windowJobsMax} and exists (
      select from chunks
      where chunks.account_id = open.account_id and chunks.type = open.type
        and job_id is null and batch_id is not null and settled < size)
    order by coalesce(due, 0), account_id, type limit ${limit}`.execute(db);
  return rows;
}

/** Counts jobs by queue and state, and chunks without a job as `waiting`, up to 100,000 per queue. */
export async function countWork(db: Db): Promise<JobCount[]> {
  return [...(await countJobs(db)), ...(await countWaiting(db))];
}

// Maximum number of waiting chunks counted per queue, because counting ten million rows takes seconds.
const waitingMax = 100_000;

async function countWaiting(db: Db): Promise<JobCount[]> {
  const counts: JobCount[] = [];
  for (const type of checkTypeNames) {
    const { rows } = await sql<{ chunks: number }>`
      select count(*) as chunks from (
        select chunk_id from chunks
        where type = ${type} and job_id is null and batch_id is not null and settled < size
        limit ${waitingMax}) as waiting`.execute(db);
    const jobs = rows[0]?.chunks ?? 0;
    if (jobs > 0) counts.push({ queue: queueOf(type), state: 'waiting', jobs });
  }
  return counts;
}
