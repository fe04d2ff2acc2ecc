import { sql } from 'kysely';
import { type CheckType, checkTypeNames, type OptionsOf } from '../../schemas/check-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { type IdRange, rangeOf } from '../postgres/id-range.ts';
import { liveJobStates, queueOf } from '../queue/queue.ts';
import type { ChunkInput, ItemTries } from '../tables.ts';
import * as batches from './batches.ts';

export type { ChunkInput, ItemTries };

export interface ChunkRef extends batches.BatchRef {
  /** The request id of its first input. */
  chunkId: number;
}

/** A slice of a batch as it is accepted: it waits for a job, and `settled` and `tries` begin at nothing. */
export interface NewChunk extends ChunkRef {
  type: CheckType;
  /** Its place among the chunks of its batch, from 0. */
  ordinal: number;
  inputs: ChunkInput[];
  /** Of a test token's batch; missing for a live one. */
  isTest?: boolean;
}

interface WorkOf<T extends CheckType> extends ChunkRef {
  type: T;
  jobId: string;
  /** Asked for by a test token: the answers are to be invented. */
  isTest: boolean;
  /** Options of the batch. */
  options: OptionsOf<T>;
  /** The inputs that have no outcome yet. */
  inputs: ChunkInput<T>[];
  /** By request id: what was already tried for an input in an earlier job of this chunk. */
  tries: Map<number, ItemTries>;
}

/** A chunk as a worker takes it up, told apart by its type. */
export type Work = { [T in CheckType]: WorkOf<T> }[CheckType];

// Two thousand short addresses; sent in about a millisecond.
const charsPerStatement = 256 * 1024;

/** Inserts the chunks of a batch: in one statement, or several for a long batch, so that others are served between. */
export async function create(trx: Trx, chunks: NewChunk[]): Promise<void> {
  for (const rows of statementsOf(chunks)) await trx.insertInto('chunks').values(rows).execute();
}

function* statementsOf(chunks: NewChunk[]) {
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
 * Takes up a chunk for a job: its batch moves from pending to processing. Null when there is nothing to do: all is
 * settled, the batch has ended, or another job has taken its place.
 */
export async function begin(db: Db, ref: ChunkRef, jobId: string): Promise<Work | null> {
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
  return { ...ref, type, jobId, isTest, options, inputs, tries } as Work;
}

/** Notes, before a check that may kill the process, that it was begun once more. */
export async function noteTries(db: Db | Trx, work: Work): Promise<void> {
  await db
    .updateTable('chunks')
    .set({ tries: triesOf(work) })
    .where('accountId', '=', work.accountId)
    .where('chunkId', '=', work.chunkId)
    .where('jobId', '=', work.jobId)
    .execute();
}

/** Gives a chunk whose job is gone a new one. False when another process did so first, or nothing is left of it. */
export async function replaceJob(
  trx: Trx,
  { accountId, chunkId, jobId }: ChunkRef & { jobId: string },
  nextJobId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('chunks')
    .set({ jobId: nextJobId })
    .where('accountId', '=', accountId)
    .where('chunkId', '=', chunkId)
    .where('jobId', '=', jobId)
    .whereRef('settled', '<', 'size')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** As they are stored. */
function triesOf({ tries }: Work): string {
  return JSON.stringify(Object.fromEntries(tries));
}

/**
 * Gives what is left of a chunk to another job, which starts after a pause if there is one. False when a third job has
 * taken its place meanwhile.
 */
export async function handOver(
  trx: Trx,
  work: Work,
  nextJobId: string,
  pauseSeconds: number,
): Promise<boolean> {
  const pausedUntil = pauseSeconds > 0 ? sql<Date>`now() + ${pauseSeconds} * interval '1 second'` : null;
  const { numUpdatedRows } = await trx
    .updateTable('chunks')
    .set({ jobId: nextJobId, tries: triesOf(work), pausedUntil })
    .where('accountId', '=', work.accountId)
    .where('chunkId', '=', work.chunkId)
    .where('jobId', '=', work.jobId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An input that has no outcome yet, with its chunk. */
export type OpenInput = ChunkInput & { chunkId: number };

/** Every open input of a batch. */
export function unsettled(db: Db | Trx, batch: batches.BatchSpan): Promise<OpenInput[]> {
  return unsettledWithin(db, batch, rangeOf(batch));
}

/** The same of one of its chunks. */
export function unsettledOf(db: Db | Trx, chunk: ChunkRef): Promise<OpenInput[]> {
  return unsettledWithin(db, chunk, { from: chunk.chunkId, to: chunk.chunkId + 1 });
}

async function unsettledWithin(
  db: Db | Trx,
  { accountId, batchId }: batches.BatchRef,
  { from, to }: IdRange,
): Promise<OpenInput[]> {
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

async function withoutOutcome<T extends ChunkInput>(
  db: Db | Trx,
  accountId: number,
  inputs: T[],
): Promise<T[]> {
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

/** An unfinished chunk whose job will never run again; one that waits has none to lose. */
export interface OrphanedChunk extends ChunkRef {
  type: CheckType;
  jobId: string;
  /** True when the job was tried as often as it may be; false when it is just gone. */
  isOutOfRetries: boolean;
}

/**
 * Returns at most `limit` orphaned chunks, oldest first. Chunks of a type that this process does not know are left to
 * those that do: it cannot tell in which queue their jobs are.
 */
export async function findOrphanedChunks(db: Db, limit: number): Promise<OrphanedChunk[]> {
  // First the chunks of all accounts, then their jobs: the two are not on one machine of a cluster.
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
