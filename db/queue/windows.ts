import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type CheckType, checkTypeNames } from '../../schemas/check-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { type ChunkJob, countJobs, type JobCount, queueOf } from './queue.ts';

/**
 * How many chunks of an account and a type have a job at most; the others wait. A worker holds five of an account, so
 * twenty of them are kept busy by one.
 */
export const jobsMax = 100;
/** How many of an account's chunks have a job at least, as long as any wait: what two workers hold of it. */
export const jobsMin = 10;

/** Whose window it is. */
export interface JobWindow {
  accountId: number;
  type: CheckType;
}

export interface Growth {
  /** How many jobs more at most. */
  more: number;
  /** How many there may be then, with those there are. */
  most: number;
}

/**
 * Gives the account's longest waiting chunks a job each, and answers them: whoever asks enqueues them, in the same
 * transaction. Locks the turn of the account in the queue until that ends, so that of two at once the second counts
 * what the first has done. Empty when nothing waits, or enough have a job.
 */
export async function takeNext(
  trx: Trx,
  { accountId, type }: JobWindow,
  { more, most }: Growth,
): Promise<ChunkJob[]> {
  const jobIds = Array.from({ length: Math.min(more, most) }, () => randomUUID());
  const { rows } = await sql<{ jobs: ChunkJob[] }>`
    select queue_chunks(${accountId}::bigint, ${type}::text, ${queueOf(type)}::text, ${jobIds}::uuid[],
      ${most}::integer) as jobs`.execute(trx);
  return rows[0]?.jobs ?? [];
}

/**
 * At most `limit` windows in which chunks wait although there are fewer jobs than there should be, the emptiest first.
 * Those of a type that this process does not know are left to those that do.
 */
export async function findStarved(db: Db, limit: number): Promise<JobWindow[]> {
  // By way of the open batches, of which there are far fewer than of chunks that wait.
  const { rows } = await sql<JobWindow>`
    with open as (
      select account_id, type from batches
      where completed_at is null and type = any(${[...checkTypeNames]}::text[])
      group by account_id, type),
    queued as (
      select account_id, type, count(*) as jobs from chunks
      where job_id is not null and settled < size
      group by account_id, type)
    select account_id, type from open left join queued using (account_id, type)
    where coalesce(jobs, 0) < ${jobsMin} and exists (
      select from chunks
      where chunks.account_id = open.account_id and chunks.type = open.type
        and job_id is null and batch_id is not null and settled < size)
    order by coalesce(jobs, 0), account_id, type limit ${limit}`.execute(db);
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
