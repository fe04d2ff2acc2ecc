import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type CheckType, checkTypeNames } from '../../schemas/check-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { type ChunkJob, countJobs, enqueueChunks, type JobCount, queueOf } from './queue.ts';

/**
 * Maximum number of an account's chunks of one type that have a job; the others wait. A worker runs at most five chunks
 * of an account at a time. More jobs would slow down each fetch, which scans the jobs of all accounts at their limit.
 */
const jobsPerWindow = 20;
/** Limit including paused chunks, which use no worker. Also in `queue_chunks`. */
export const windowJobsMax = 5 * jobsPerWindow;

export interface JobWindow {
  accountId: number;
  type: CheckType;
}

/** Returns job ids for `queue_chunks`, which fills the window up to their number. */
export function createJobIds(): string[] {
  return Array.from({ length: jobsPerWindow }, () => randomUUID());
}

/**
 * Enqueues the account's longest waiting chunks until its window is full. Returns their number. Locks the account row,
 * which comes before the allowance and the deliveries in the lock order.
 */
export async function refill(trx: Trx, boss: PgBoss, { accountId, type }: JobWindow): Promise<number> {
  const { rows } = await sql<{ jobs: ChunkJob[] }>`
    select queue_chunks(${accountId}::bigint, ${type}::text, ${createJobIds()}::uuid[]) as jobs`.execute(trx);
  const jobs = rows[0]?.jobs ?? [];
  if (jobs.length > 0) await enqueueChunks(boss, trx, type, jobs);
  return jobs.length;
}

/**
 * Returns at most `limit` windows that are not full although chunks wait, the emptiest first. Ignores check types that
 * this process does not know.
 */
export async function findUnderfilled(db: Db, limit: number): Promise<JobWindow[]> {
  // Starts from open batches, because there are far fewer of them than waiting chunks.
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

// Counting ten million takes seconds.
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
