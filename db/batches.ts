/**
 * Lock order, kept by every transaction of this folder: idempotency key, batch row, chunk rows, items, account row,
 * ledger entry, turn, jobs (DESIGN.md section 6). A single check has no batch row; its chunk row comes first. Only
 * Postgres's now() decides ages.
 */
import { sql } from 'kysely';
import type { BatchStatus, BatchType } from '../schemas/batch.ts';
import type { Db, Trx } from './connect.ts';

/** Names a batch; the account always comes along, so that nobody finds another's. */
export interface BatchRef {
  accountId: number;
  batchId: string;
}

export interface NewBatch extends BatchRef {
  type: BatchType;
  /** All entries, the skipped ones included. */
  total: number;
  skipped: number;
  duplicates: number;
  /** What holds for all its checks, such as whether redirects are followed. */
  options: Record<string, unknown>;
  reference: string | null;
  webhookUrl: string | null;
  retryOf: string | null;
}

export interface BatchRow extends BatchRef {
  type: BatchType;
  status: BatchStatus;
  total: number;
  skipped: number;
  successful: number;
  failed: number;
  duplicates: number;
  options: Record<string, unknown>;
  summary: Record<string, number>;
  reference: string | null;
  webhookUrl: string | null;
  retryOf: string | null;
  retriedAs: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  canceledAt: Date | null;
  purgedAt: Date | null;
}

/** Inserts the batch row; its chunks and turn follow. A batch of nothing but skipped entries has ended already. */
export async function create(trx: Trx, batch: NewBatch): Promise<void> {
  const isOver = batch.skipped === batch.total;
  await trx
    .insertInto('batches')
    .values({
      ...batch,
      options: JSON.stringify(batch.options),
      failed: batch.skipped,
      status: isOver ? 'failed' : 'pending',
      completedAt: isOver ? sql`now()` : null,
    })
    .execute();
}

/** Notes where the batch stands in the fair order. */
export async function setFirstTurn(trx: Trx, { accountId, batchId }: BatchRef, turn: number): Promise<void> {
  await trx
    .updateTable('batches')
    .set({ firstTurn: turn })
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .execute();
}

/** Null when the account has no such batch. */
export async function find(db: Db, { accountId, batchId }: BatchRef): Promise<BatchRow | null> {
  const row = await db
    .selectFrom('batches')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .executeTakeFirst();
  return row ?? null;
}

/** The same, and nobody else records for this batch until the transaction ends. */
export async function lock(trx: Trx, { accountId, batchId }: BatchRef): Promise<BatchRow | null> {
  const row = await trx
    .selectFrom('batches')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Which of these batches have ended: their ids, from one query. */
export async function endedOf(db: Db, refs: BatchRef[]): Promise<string[]> {
  const accountIds = refs.map(({ accountId }) => accountId);
  const batchIds = refs.map(({ batchId }) => batchId);
  const { rows } = await sql<{ batchId: string }>`
    select batch_id from batches
    join unnest(${accountIds}::bigint[], ${batchIds}::uuid[]) as asked (account_id, batch_id)
      using (account_id, batch_id)
    where completed_at is not null`.execute(db);
  return rows.map(({ batchId }) => batchId);
}

/** Moves a pending batch to processing; does nothing to any other. */
export async function start(db: Db, { accountId, batchId }: BatchRef): Promise<void> {
  await db
    .updateTable('batches')
    .set({ status: 'processing', startedAt: sql`now()` })
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where('status', '=', 'pending')
    .execute();
}

/** What a batch's counters become; which end it comes to follows from them. */
export interface Progress {
  successful: number;
  failed: number;
  summary: Record<string, number>;
  /** The rest was failed because the caller asked to. */
  isCanceled?: boolean;
}

/** Writes the counters of a batch that the transaction has locked, and ends it when they are complete. */
export async function advance(trx: Trx, batch: BatchRow, progress: Progress): Promise<{ isOver: boolean }> {
  const { accountId, batchId, total, startedAt } = batch;
  const { successful, failed, summary, isCanceled = false } = progress;
  const isOver = successful + failed === total;
  await trx
    .updateTable('batches')
    .set({
      successful,
      failed,
      summary: JSON.stringify(summary),
      status: isOver ? endOf(progress) : startedAt ? 'processing' : 'pending',
      ...(isOver ? { completedAt: sql`now()` } : {}),
      ...(isCanceled ? { canceledAt: sql`now()` } : {}),
    })
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .execute();
  return { isOver };
}

/** Notes on a batch, which the transaction has locked, which later batch tries its failed items again. */
export async function linkRetry(
  trx: Trx,
  { accountId, batchId }: BatchRef,
  retriedAs: string,
): Promise<void> {
  await trx
    .updateTable('batches')
    .set({ retriedAs })
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .execute();
}

export interface BatchFilter {
  type?: BatchType;
  status?: BatchStatus;
  limit: number;
  offset?: number;
  /** Goes on after this one, at the cost of the first page. */
  after?: { createdAt: Date; batchId: string };
}

/** An account's batches, newest first. */
export function list(db: Db, accountId: number, filter: BatchFilter): Promise<BatchRow[]> {
  return newestFirst(db, accountId, filter)
    .select(columns)
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** How many there are, counted up to `max`. */
export async function count(db: Db, accountId: number, filter: Omit<BatchFilter, 'limit'>, max: number) {
  const some = newestFirst(db, accountId, filter).select('batchId').limit(max);
  const { rows } = await db
    .selectFrom(some.as('some'))
    .select(sql<number>`count(*)`.as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}

/** Those of an account that have not ended, newest first. */
export function listOpen(db: Db, accountId: number, limit: number): Promise<BatchRow[]> {
  return db
    .selectFrom('batches')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('completedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('batchId', 'desc')
    .limit(limit)
    .execute();
}

/** Of these ids, the batches that the account has. */
export function listByIds(db: Db, accountId: number, batchIds: string[]): Promise<BatchRow[]> {
  if (batchIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('batches')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('batchId', 'in', batchIds)
    .execute();
}

const columns = [
  'accountId',
  'batchId',
  'type',
  'status',
  'total',
  'skipped',
  'successful',
  'failed',
  'duplicates',
  'options',
  'summary',
  'reference',
  'webhookUrl',
  'retryOf',
  'retriedAs',
  'createdAt',
  'startedAt',
  'completedAt',
  'canceledAt',
  'purgedAt',
] as const;

function endOf({ successful, failed }: Progress): BatchStatus {
  if (failed === 0) return 'completed';
  return successful === 0 ? 'failed' : 'partial';
}

// Ordered to be counted too: without an order Postgres likes to read the table until it has found enough.
function newestFirst(db: Db, accountId: number, { type, status, after }: Omit<BatchFilter, 'limit'>) {
  return db
    .selectFrom('batches')
    .where('accountId', '=', accountId)
    .$if(type !== undefined, (query) => query.where('type', '=', type as BatchType))
    .$if(status !== undefined, (query) => query.where('status', '=', status as BatchStatus))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, batch_id) < (${after?.createdAt}, ${after?.batchId}::uuid)`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('batchId', 'desc');
}
