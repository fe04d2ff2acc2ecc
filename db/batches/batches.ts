import { type RawBuilder, sql } from 'kysely';
import type { BatchStatus } from '../../schemas/batch.ts';
import type { CheckType, OptionsOf } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { jobsPerWindow } from '../queue/job-windows.ts';
import type { ChunkJob } from '../queue/queue.ts';

/** Reference to a batch. It contains the account, so that no caller finds a batch of another account. */
export interface BatchRef {
  accountId: number;
  batchId: string;
  /** True finds only test batches. False finds only other batches. If missing, all batches are found. */
  isTest?: boolean;
}

export interface BatchSpan extends BatchRef {
  /** Request id of the entry at position 0. The other entries have the following ids, in order. */
  firstRequestId: number;
  /** Number of entries, including skipped ones. */
  total: number;
}

/**
 * Range of request ids. Items and chunks are partitioned by such ranges. A statement that names the range of its rows
 * reads only the partition of these rows.
 */
export interface IdRange {
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** Returns the range of a batch's request ids. */
export function rangeOf({ firstRequestId, total }: Pick<BatchSpan, 'firstRequestId' | 'total'>): IdRange {
  return { from: firstRequestId, to: firstRequestId + total };
}

/** Matches rows whose column is in the range of a batch. `batch` is a table or alias. */
export function isInBatchRange(batch: string, column: string): RawBuilder<boolean> {
  const [first, total, id] = [`${batch}.first_request_id`, `${batch}.total`, column].map((name) =>
    sql.ref(name),
  );
  return sql<boolean>`${id} >= ${first} and ${id} < ${first} + ${total}`;
}

/** Fields that are set at acceptance. Only `name` changes. Closing the account clears `reference` and `webhookUrl`. */
interface BatchTerms extends BatchSpan {
  type: CheckType;
  /** True for a batch of a test token. Its answers are simulated, and nothing is charged. */
  isTest: boolean;
  /** Number of invalid entries. They fail immediately and are never charged. `failed` includes them. */
  skipped: number;
  /** Number of checks that also paid for an AI Overview; 0 for a test. */
  overviews: number;
  /** Number of entries that repeat an earlier entry. `total` does not include entries that `dedupe` removed. */
  duplicates: number;
  /** Options of all checks of the batch, such as whether redirects are followed. */
  options: OptionsOf;
  /** Chosen by the caller; null if none was given. */
  reference: string | null;
  /** Name in the dashboard; null if the batch has no name. */
  name: string | null;
  /** URL as it was sent; null without a webhook. */
  webhookUrl: string | null;
  /** Shared by batches that were submitted together; null for a single batch. */
  submissionId: string | null;
  /** Original batch of a retry; null if this batch is not a retry. */
  retryOf: string | null;
  /** Original batch whose inputs this batch checks again; null without such a batch. */
  againOf: string | null;
  /** Set, like `runId`, if a run of a monitor created the batch; otherwise null. */
  monitorId: string | null;
  runId: string | null;
}

export interface NewBatch extends BatchTerms {
  /** Token whose monthly limit the charge counts against; null without such a token. */
  tokenId: number | null;
}

export interface BatchRow extends BatchTerms {
  /** A constraint keeps the status consistent with the counters and `startedAt`. */
  status: BatchStatus;
  /** Number of items with an answer. */
  successful: number;
  /** Number of items without an answer. All of them but skipped items are refunded. */
  failed: number;
  /**
   * Number of refunded credits for overviews. A credit is refunded if no overview was shown or its sources were not
   * read.
   */
  overviewsRefunded: number;
  /** Number of answers by result. Each check type has its own words for results. */
  summary: Record<string, number>;
  /** Batch that retries the failed items; null before the retry. A batch can be retried once. */
  retriedAs: string | null;
  createdAt: Date;
  /** When a worker started the first chunk; null before that, and null for a batch that was canceled earlier. */
  startedAt: Date | null;
  /** When the last outcome was recorded; null before that. */
  completedAt: Date | null;
  /** Null if the batch was not canceled. */
  canceledAt: Date | null;
  /** Why checks last waited, and until when. Both are null if no check has waited. */
  waitingReason: ItemError | null;
  waitingUntil: Date | null;
  /** When inputs and outcomes were deleted; null while they are kept. */
  purgedAt: Date | null;
}

/** Inserts the row of a batch. A batch with only skipped entries ends immediately. */
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

/** Result of a charge. The caller enqueues the jobs in the same transaction. */
interface ChargedBatch {
  balance: number;
  /** Null for a batch that costs nothing. */
  entryNo: number | null;
  jobs: ChunkJob[];
}

/**
 * Charges a batch that the transaction has inserted. Assigns jobs to the account's next chunks. If the account has too
 * few credits, returns null and writes nothing. Locks the account row.
 */
export async function charge(
  trx: Trx,
  {
    accountId,
    batchId,
    type,
    price,
    chunkCount,
  }: BatchRef & { type: CheckType; price: number; chunkCount: number },
): Promise<ChargedBatch | null> {
  const { rows } = await sql<{ balance: number | null; entryNo: number | null; jobs: ChunkJob[] | null }>`
    select balance, entry as entry_no, jobs
    from charge_new_batch(${accountId}::bigint, ${batchId}::uuid, ${price}::integer, ${type}::text,
      ${chunkCount}::integer, ${jobsPerWindow}::integer)`.execute(trx);
  const [row] = rows;
  return row && row.balance !== null ? { ...row, balance: row.balance, jobs: row.jobs ?? [] } : null;
}

export async function find(db: Db, ref: BatchRef): Promise<BatchRow | null> {
  return (await selectBatch(db, ref).executeTakeFirst()) ?? null;
}

/** Finds and locks a batch. No other transaction can record outcomes until this transaction ends. */
export async function lock(trx: Trx, ref: BatchRef): Promise<BatchRow | null> {
  return (await selectBatch(trx, ref).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** Returns the ids of the given batches that have ended. */
export async function findEnded(db: Db, refs: BatchRef[]): Promise<string[]> {
  const accountIds = refs.map(({ accountId }) => accountId);
  const batchIds = refs.map(({ batchId }) => batchId);
  const { rows } = await sql<{ batchId: string }>`
    select batch_id from batches
    join unnest(${accountIds}::bigint[], ${batchIds}::uuid[]) as asked (account_id, batch_id)
      using (account_id, batch_id)
    -- With this condition, a cluster queries only the nodes of these accounts.
    where account_id = any(${accountIds}::bigint[]) and completed_at is not null`.execute(db);
  return rows.map(({ batchId }) => batchId);
}

/** Moves a pending batch to processing. Does nothing in other states. */
export async function start(db: Db, ref: BatchRef): Promise<void> {
  await updateBatch(db, ref)
    .set({ status: 'processing', startedAt: sql`now()` })
    .where('status', '=', 'pending')
    .execute();
}

/** Records why and how long a chunk waits. The caller must have locked the batch. */
export async function setWaiting(trx: Trx, ref: BatchRef, reason: ItemError, seconds: number): Promise<void> {
  const waitingUntil = sql<Date>`greatest(waiting_until, now() + ${seconds} * interval '1 second')`;
  await updateBatch(trx, ref).set({ waitingReason: reason, waitingUntil }).execute();
}

/** Stores the id of the batch that retries the failed items. The caller must have locked the batch. */
export async function setRetriedAs(trx: Trx, ref: BatchRef, retriedAs: string): Promise<void> {
  await updateBatch(trx, ref).set({ retriedAs }).execute();
}

/** Changes or removes the name of a batch. Returns false if the account has no such batch. */
export async function rename(db: Db, ref: BatchRef, name: string | null): Promise<boolean> {
  const { numUpdatedRows } = await updateBatch(db, ref).set({ name }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

function selectBatch(db: Db, { accountId, batchId, isTest }: BatchRef) {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .$if(isTest !== undefined, (query) => query.where('isTest', '=', isTest === true));
}

function updateBatch(db: Db, { accountId, batchId }: BatchRef) {
  return db.updateTable('batches').where('accountId', '=', accountId).where('batchId', '=', batchId);
}
