import { sql } from 'kysely';
import { type CheckType, checkTypeNames, type OptionsOf } from '../../schemas/check-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { liveJobStates, queueOf } from '../queue/queue.ts';
import type { AttemptCounts, ChunkInput } from '../tables.ts';
import * as batches from './batches.ts';

export interface ChunkRef extends batches.BatchRef {
  /** Request id of the chunk's first input. */
  chunkId: number;
}

export interface NewChunk extends ChunkRef {
  type: CheckType;
  /** Position among the chunks of the batch, from 0. */
  ordinal: number;
  inputs: ChunkInput[];
  isTest?: boolean;
}

interface TypedWork<T extends CheckType> extends ChunkRef {
  type: T;
  /** A retried job keeps its id, so two workers may have it for a moment. Only one of them can insert an item. */
  jobId: string;
  /** True for a batch of a test token. Answers are then simulated. */
  isTest: boolean;
  options: OptionsOf<T>;
  /** The inputs that have no outcome yet. */
  inputs: ChunkInput<T>[];
  /** Attempts by request id, including the attempts in earlier jobs of this chunk. */
  tries: Map<number, AttemptCounts>;
}

/** A chunk for a worker, with `type` as discriminant. */
export type ChunkWork = { [T in CheckType]: TypedWork<T> }[CheckType];

// Number of characters after which a statement is sent: about two thousand short URLs, which take about a millisecond.
const charsPerStatement = 256 * 1024;

/**
 * Inserts the chunks of a batch. Splits long batches into several statements, so that other requests can run between
 * them.
 */
export async function create(trx: Trx, chunks: NewChunk[]): Promise<void> {
  for (const rows of splitIntoStatements(chunks)) await trx.insertInto('chunks').values(rows).execute();
}

function* splitIntoStatements(chunks: NewChunk[]) {
  let rows: Array<Omit<NewChunk, 'inputs'> & { size: number; inputs: string }> = [];
  let chars = 0;
  for (const chunk of chunks) {
    const inputs = JSON.stringify(chunk.inputs);
    rows.push({ ...chunk, size: chunk.inputs.length, inputs });
    chars += inputs.length;
    if (chars < charsPerStatement) continue;
    yield rows;
    rows = [];
    chars = 0;
  }
  if (rows.length > 0) yield rows;
}

/**
 * Starts a chunk for a job. Also starts the batch if it is pending. Returns null if all inputs are settled, the batch
 * has ended, or the chunk has another job.
 */
export async function begin(db: Db, ref: ChunkRef, jobId: string): Promise<ChunkWork | null> {
  const chunk = await db
    .selectFrom('chunks')
    .innerJoin('batches', (join) =>
      join
        .onRef('batches.accountId', '=', 'chunks.accountId')
        .onRef('batches.batchId', '=', 'chunks.batchId'),
    )
    .select([
      'chunks.type',
      'chunks.inputs',
      'chunks.settled',
      'chunks.tries',
      'batches.isTest',
      'batches.options',
      'batches.status',
    ])
    .where('chunks.accountId', '=', ref.accountId)
    .where('chunks.chunkId', '=', ref.chunkId)
    .where('chunks.jobId', '=', jobId)
    .whereRef('chunks.settled', '<', 'chunks.size')
    .where('batches.completedAt', 'is', null)
    .executeTakeFirst();
  if (!chunk) return null;
  const { type, options, isTest } = chunk;
  if (chunk.status === 'pending') await batches.start(db, ref);
  const inputs = chunk.settled > 0 ? await withoutOutcome(db, ref.accountId, chunk.inputs) : chunk.inputs;
  const tries = new Map(Object.entries(chunk.tries).map(([id, each]) => [Number(id), each]));
  return { ...ref, type, jobId, isTest, options, inputs, tries } as ChunkWork;
}

/** Saves the attempt counts while inputs are checked one by one, so that a crash of the process does not lose them. */
export async function saveAttemptCounts(db: Db, work: ChunkWork): Promise<void> {
  await updateChunk(db, work)
    .set({ tries: serializeAttemptCounts(work) })
    .execute();
}

/**
 * Replaces the lost job of a chunk. Returns false if another process has replaced the job, or all inputs are settled.
 */
export async function replaceJob(
  trx: Trx,
  chunk: ChunkRef & { jobId: string },
  nextJobId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await updateChunk(trx, chunk)
    .set({ jobId: nextJobId })
    .whereRef('settled', '<', 'size')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Updates a chunk if it still has the given job. */
function updateChunk(db: Db, { accountId, chunkId, jobId }: ChunkRef & { jobId: string }) {
  return db
    .updateTable('chunks')
    .where('accountId', '=', accountId)
    .where('chunkId', '=', chunkId)
    .where('jobId', '=', jobId);
}

function serializeAttemptCounts({ tries }: ChunkWork): string {
  return JSON.stringify(Object.fromEntries(tries));
}

/**
 * Hands the remaining inputs of a chunk to a new job. The job starts after `pauseSeconds`. Returns false if the chunk
 * already has another job.
 */
export async function handToSuccessor(
  trx: Trx,
  work: ChunkWork,
  nextJobId: string,
  pauseSeconds: number,
): Promise<boolean> {
  const pausedUntil = pauseSeconds > 0 ? sql<Date>`now() + ${pauseSeconds} * interval '1 second'` : null;
  const { numUpdatedRows } = await updateChunk(trx, work)
    .set({ jobId: nextJobId, tries: serializeAttemptCounts(work), pausedUntil })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An input without an outcome, with its chunk. */
export type UnsettledInput = ChunkInput & { chunkId: number };

/** Returns all inputs without an outcome of a batch. */
export function listUnsettled(db: Db, batch: batches.BatchSpan): Promise<UnsettledInput[]> {
  return unsettledWithin(db, batch, batches.rangeOf(batch));
}

/** Returns all inputs without an outcome of a chunk. */
export function listUnsettledOfChunk(db: Db, chunk: ChunkRef): Promise<UnsettledInput[]> {
  return unsettledWithin(db, chunk, { from: chunk.chunkId, to: chunk.chunkId + 1 });
}

async function unsettledWithin(
  db: Db,
  { accountId, batchId }: batches.BatchRef,
  { from, to }: batches.IdRange,
): Promise<UnsettledInput[]> {
  const chunks = await db
    .selectFrom('chunks')
    .select(['chunkId', 'inputs'])
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where('chunkId', '>=', from)
    .where('chunkId', '<', to)
    .whereRef('settled', '<', 'size')
    .orderBy('ordinal')
    .execute();
  const open = chunks.flatMap(({ chunkId, inputs }) => inputs.map((input) => ({ ...input, chunkId })));
  return withoutOutcome(db, accountId, open);
}

async function withoutOutcome<T extends ChunkInput>(db: Db, accountId: number, inputs: T[]): Promise<T[]> {
  const ids = inputs.map(({ request_id }) => request_id);
  const settled = await db
    .selectFrom('items')
    .select('requestId')
    .where('accountId', '=', accountId)
    .where('requestId', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  const known = new Set(settled.map(({ requestId }) => requestId));
  return inputs.filter(({ request_id }) => !known.has(request_id));
}

/** An unfinished chunk whose job is lost or has no retries left. */
export interface OrphanedChunk extends ChunkRef {
  type: CheckType;
  jobId: string;
  /** True if the job failed at its last attempt. False if the job does not exist. */
  isOutOfRetries: boolean;
}

/**
 * Returns at most `limit` orphaned chunks, oldest first. Ignores check types that this process does not know, because
 * their queues are unknown.
 */
export async function findOrphanedChunks(db: Db, limit: number): Promise<OrphanedChunk[]> {
  // The chunks are materialized, because chunks and jobs are on different nodes of a cluster.
  const { rows } = await sql<OrphanedChunk>`
    with unsettled as materialized (
      select account_id, batch_id, chunk_id, chunks.type, queue, job_id, created_at
      from chunks
      join unnest(${[...checkTypeNames]}::text[], ${checkTypeNames.map(queueOf)}::text[]) as known (type, queue)
        on known.type = chunks.type
      where settled < size and job_id is not null)
    select account_id, batch_id, chunk_id, type, job_id,
      coalesce(job.state::text = 'failed', false) as is_out_of_retries
    from unsettled left join pgboss.job on job.name = unsettled.queue and job.id = unsettled.job_id
    where job.id is null or job.state::text not in ${liveJobStates}
    order by unsettled.created_at limit ${limit}`.execute(db);
  return rows;
}
