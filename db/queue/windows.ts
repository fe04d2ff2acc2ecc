import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type CheckType, checkTypeNames } from '../../schemas/check-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { type ChunkJob, countJobs, enqueueChunks, type JobCount, queueOf } from './queue.ts';

/**
 * Chunks of an account and a type that have a job; the others wait. A worker runs five of an account at a time. Each
 * fetch looks at the jobs of all accounts that hold their share of the worker.
 */
const jobsPerWindow = 20;
/** With paused chunks, which hold nothing of a worker. Stands in queue_chunks too. */
export const jobsWithPausedMax = 5 * jobsPerWindow;

export interface JobWindow {
  accountId: number;
  type: CheckType;
}

/** Ids for the jobs that `queue_chunks` gives to waiting chunks; it fills the window to their number. */
export function newJobIds(): string[] {
  return Array.from({ length: jobsPerWindow }, () => randomUUID());
}

/**
 * Enqueues the account's longest waiting chunks until its window is full. Returns how many. Locks the account row. In
 * the lock order this comes before the allowance and the deliveries.
 */
export async function refill(trx: Trx, boss: PgBoss, { accountId, type }: JobWindow): Promise<number> {
  const { rows } = await sql<{ jobs: ChunkJob[] }>`
    select queue_chunks(${accountId}::bigint, ${type}::text, ${newJobIds()}::uuid[]) as jobs`.execute(trx);
  const jobs = rows[0]?.jobs ?? [];
  if (jobs.length > 0) await enqueueChunks(boss, trx, type, jobs);
  return jobs.length;
}

/**
 * At most `limit` windows in which chunks wait although there is room, the emptiest first. Those of a type that this
 * process does not know are left to processes that do.
 */
export async function findUnderfilled(db: Db, limit: number): Promise<JobWindow[]> {
  // By way of the open batches, of which there are far fewer than of chunks that wait.
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
    where coalesce(due, 0) < ${jobsPerWindow} and coalesce(jobs, 0) < ${jobsWithPausedMax} and exists (
      select from chunks
      where chunks.account_id = open.account_id and chunks.type = open.type
        and job_id is null and batch_id is not null and settled < size)
    order by coalesce(due, 0), account_id, type limit ${limit}`.execute(db);
  return rows;
}

/** What each queue has to do: its jobs by state, and as `waiting` the chunks that are no jobs yet, up to 100,000. */
export async function countWork(db: Db): Promise<JobCount[]> {
  return [...(await countJobs(db)), ...(await countWaiting(db))];
}

/** Nobody needs to know more precisely how far it is, and counting ten million takes seconds at each look. */
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
