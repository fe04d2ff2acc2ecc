import { sql } from 'kysely';
import type { BatchStatus } from '../../schemas/batch.ts';
import type { CheckType, OptionsOf } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import type { ChunkJob } from '../queue/queue.ts';
import { newJobIds } from '../queue/windows.ts';

/** Names a batch; the account always comes along, so that nobody finds another's. */
export interface BatchRef {
  accountId: number;
  batchId: string;
  /** Where this is said, a batch of the other kind is not there: a test token's, or a live one. */
  isTest?: boolean;
}

/** Names a batch and where its items and chunks are in their tables; every batch row does. */
export interface BatchSpan extends BatchRef {
  /** Request id of the entry at position 0; those of the others follow by position. 0 where it is not known. */
  firstRequestId: number;
  /** How many entries it has, and so request ids. */
  total: number;
}

/** A batch as it is accepted; what moves later is in `BatchRow`. */
export interface NewBatch extends BatchSpan {
  type: CheckType;
  /** Entries that do not fit: they fail at once and are not charged. */
  skipped: number;
  /** Entries equal to an earlier one; those that `dedupe` left out are not in `total`. */
  duplicates: number;
  /** What holds for all its checks, such as whether redirects are followed. */
  options: OptionsOf;
  /** The caller's own name for it; null when none was given. */
  reference: string | null;
  /** Where its end is to be told, as it was sent; null for nowhere. */
  webhookUrl: string | null;
  /** The batch whose failed items these are; null for one that was submitted. */
  retryOf: string | null;
  /** What was submitted together has the same; null or missing for a batch that was submitted alone. */
  submissionId?: string | null;
  /** The batch whose inputs, or some of them, are checked again; null or missing for one that was submitted. */
  againOf?: string | null;
  /** What people call it from the beginning; null or missing when nobody does. */
  name?: string | null;
  /** The monitor and its run that it is of; null or missing for one that was submitted. */
  monitorId?: string | null;
  runId?: string | null;
  /** The token with a monthly limit that its charge counts against; null or missing for none. */
  tokenId?: number | null;
  /** Asked for by a test token; missing for a live one. */
  isTest?: boolean;
}

/** A bulk submission with the counts of what has become of it. */
export interface BatchRow extends BatchSpan {
  /** What is checked of all its inputs; never changes. */
  type: CheckType;
  /** Asked for by a test token: its answers are invented, and nothing is charged. Never changes. */
  isTest: boolean;
  /** Follows from the counters and `startedAt`, by a constraint. */
  status: BatchStatus;
  /** All entries, the skipped ones included; never changes. */
  total: number;
  /** Request id of the entry at position 0; the ids of the others follow by position. */
  firstRequestId: number;
  /** Entries that did not fit, failed at acceptance and never charged; counted in `failed` too. */
  skipped: number;
  /** Items with an answer, good or bad. */
  successful: number;
  /** Items without an answer, which are refunded unless they were skipped. */
  failed: number;
  /** Entries equal to an earlier one; those that `dedupe` left out are not in `total`. */
  duplicates: number;
  /** What holds for all its checks, such as whether redirects are followed. */
  options: OptionsOf;
  /** How many of its answers say what, in the words of its type; moved with `successful`. */
  summary: Record<string, number>;
  /** The caller's own word for it, which never changes; null when none was given. */
  reference: string | null;
  /** What people call it, which can change; null until it is named. */
  name: string | null;
  /** Where its end is to be told, as it was sent; null for nowhere. Cleared when its account is closed. */
  webhookUrl: string | null;
  /** What was submitted together has the same; null for a batch that was submitted alone. */
  submissionId: string | null;
  /** The batch whose failed items these were; null for one that was submitted. */
  retryOf: string | null;
  /** The batch whose inputs, or some of them, were checked again; null for one that was submitted. */
  againOf: string | null;
  /** The monitor and its run that it is of; both null for one that was submitted. Never change. */
  monitorId: string | null;
  runId: string | null;
  /** The batch that retries its failed items; null until it is retried, which is possible once. */
  retriedAs: string | null;
  createdAt: Date;
  /** When a worker took up its first chunk; null until then, and for good when it was canceled before. */
  startedAt: Date | null;
  /** When its last item got an outcome; null until then. */
  completedAt: Date | null;
  /** When its caller ended it; null unless that happened. */
  canceledAt: Date | null;
  /** Why checks of it last waited, and when those that wait longest are tried again; null when none ever waited. */
  waitingReason: ItemError | null;
  waitingUntil: Date | null;
  /** When its inputs and outcomes were deleted; null while they are kept. Moved by the purge. */
  purgedAt: Date | null;
}

/**
 * Inserts the batch row; its chunks follow. A batch of nothing but skipped entries has ended
 * already.
 */
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

/** What a batch has cost, and the jobs that the caller enqueues in the same transaction. */
export interface ChargedBatch {
  /** Credits after the charge. */
  balance: number;
  /** Null for a batch that costs nothing. */
  entryNo: number | null;
  jobs: ChunkJob[];
}

/**
 * Charges a batch that the transaction has inserted and gives the account's next chunks a job each. Null, and nothing
 * is written, if the account has too few credits. Locks the account row.
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
    from charge_batch(${accountId}::bigint, ${batchId}::uuid, ${price}::integer, ${type}::text,
      ${chunkCount}::integer, ${newJobIds()}::uuid[])`.execute(trx);
  const [row] = rows;
  return row && row.balance !== null ? { ...row, balance: row.balance, jobs: row.jobs ?? [] } : null;
}

/** Null when the account has no such batch. */
export async function find(db: Db | Trx, ref: BatchRef): Promise<BatchRow | null> {
  return (await selectOf(db, ref).executeTakeFirst()) ?? null;
}

/** The same, and nobody else records for this batch until the transaction ends. */
export async function lock(trx: Trx, ref: BatchRef): Promise<BatchRow | null> {
  return (await selectOf(trx, ref).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** Which of these batches have ended: their ids, from one query. */
export async function endedOf(db: Db, refs: BatchRef[]): Promise<string[]> {
  const accountIds = refs.map(({ accountId }) => accountId);
  const batchIds = refs.map(({ batchId }) => batchId);
  const { rows } = await sql<{ batchId: string }>`
    select batch_id from batches
    join unnest(${accountIds}::bigint[], ${batchIds}::uuid[]) as asked (account_id, batch_id)
      using (account_id, batch_id)
    -- So that of a cluster only those are asked who have them.
    where account_id = any(${accountIds}::bigint[]) and completed_at is not null`.execute(db);
  return rows.map(({ batchId }) => batchId);
}

/** The run that a batch is of; null for one that was submitted. */
export async function runOf(db: Db | Trx, { accountId, batchId }: BatchRef): Promise<string | null> {
  const row = await db
    .selectFrom('batches')
    .select('runId')
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .executeTakeFirst();
  return row?.runId ?? null;
}

/** Moves a pending batch to processing; does nothing to any other. */
export async function start(db: Db, ref: BatchRef): Promise<void> {
  await updateOf(db, ref)
    .set({ status: 'processing', startedAt: sql`now()` })
    .where('status', '=', 'pending')
    .execute();
}

/** Records why a chunk of a batch, which the transaction has locked, waits, and for how many seconds. */
export async function setWaiting(trx: Trx, ref: BatchRef, reason: ItemError, seconds: number): Promise<void> {
  const waitingUntil = sql<Date>`greatest(waiting_until, now() + ${seconds} * interval '1 second')`;
  await updateOf(trx, ref).set({ waitingReason: reason, waitingUntil }).execute();
}

/** Notes on a batch, which the transaction has locked, which later batch tries its failed items again. */
export async function linkRetry(trx: Trx, ref: BatchRef, retriedAs: string): Promise<void> {
  await updateOf(trx, ref).set({ retriedAs }).execute();
}

/** Gives a batch another name, or none. False when the account has no such batch. */
export async function rename(db: Db | Trx, ref: BatchRef, name: string | null): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, ref).set({ name }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The columns of a batch as its row type has them. */
export const batchColumns = [
  'accountId',
  'batchId',
  'type',
  'isTest',
  'status',
  'total',
  'firstRequestId',
  'skipped',
  'successful',
  'failed',
  'duplicates',
  'options',
  'summary',
  'reference',
  'name',
  'webhookUrl',
  'submissionId',
  'retryOf',
  'againOf',
  'retriedAs',
  'monitorId',
  'runId',
  'createdAt',
  'startedAt',
  'completedAt',
  'canceledAt',
  'waitingReason',
  'waitingUntil',
  'purgedAt',
] as const;

function selectOf(db: Db | Trx, { accountId, batchId, isTest }: BatchRef) {
  return db
    .selectFrom('batches')
    .select(batchColumns)
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .$if(isTest !== undefined, (query) => query.where('isTest', '=', isTest === true));
}

function updateOf(db: Db | Trx, { accountId, batchId }: BatchRef) {
  return db.updateTable('batches').where('accountId', '=', accountId).where('batchId', '=', batchId);
}
