import { type RawBuilder, sql } from 'kysely';
import {
  type AnswerOf,
  type CheckType,
  type FailedInputOf,
  type InputOf,
  isHistoryType,
} from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { toStorableJson } from '../postgres/text.ts';
import { daysKept, isKept } from '../retention/partitions.ts';
import type { ChunkInput, ItemResult } from '../tables.ts';
import { type BatchRef, type BatchSpan, rangeOf } from './batches.ts';
import * as history from './history.ts';
import * as resultPages from './result-pages.ts';

export interface NewItem {
  requestId: number;
  chunkId: number;
  position: number | null;
  input: InputOf | FailedInputOf;
  result: ItemResult;
}

interface ItemBase<T extends CheckType> {
  /** Assigned at acceptance. */
  requestId: number;
  /** Null for a single check. */
  batchId: string | null;
  /** Position in the submitted list, from 0; null for a single check. */
  position: number | null;
  type: T;
  checkedAt: Date;
}

interface AnsweredItem<T extends CheckType> extends ItemBase<T> {
  state: 'success';
  input: InputOf<T>;
  outcome: AnswerOf<T>;
  error: null;
}

interface FailedItem<T extends CheckType> extends ItemBase<T> {
  state: 'failed';
  /** An invalid input (`invalid_url`) has only the fields that could be read. */
  input: FailedInputOf<T>;
  outcome: null;
  error: ItemError;
  /** Sentence that says why the entry is invalid; null for items that were not skipped. */
  problem: string | null;
}

/** The outcome of an input, with `type` and `state` as discriminants. Never updated. */
export type ItemRow = { [T in CheckType]: AnsweredItem<T> | FailedItem<T> }[CheckType];

export function createFailedItem(input: ChunkInput & { chunkId: number }, error: ItemError): NewItem {
  const { request_id: requestId, chunkId, position } = input;
  return { requestId, chunkId, position, input: input.input, result: { error } };
}

/** Batch of the items, or a single check if `batchId` is null. */
interface ItemsParent {
  accountId: number;
  batchId: string | null;
  type: CheckType;
  isTest?: boolean;
}

/** Inserts the items that do not exist yet. Returns the inserted items. */
export async function insert(
  trx: Trx,
  { accountId, batchId, type, isTest }: ItemsParent,
  items: NewItem[],
): Promise<NewItem[]> {
  if (items.length === 0) return [];
  const rows = items.map(toRow);
  // The statement selects from `accounts`, so that a cluster runs the whole statement on the account's node.
  const { rows: inserted } = await sql<{ requestId: number }>`
    insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error, problem)
    select accounts.account_id, request_id, ${batchId}::uuid, position, ${type}, state, input, outcome, error, problem
    from accounts cross join json_to_recordset(${toStorableJson(rows)}::json)
      as item (request_id bigint, position int, state text, input json, outcome json, error text, problem text)
    where accounts.account_id = ${accountId}
    on conflict do nothing
    returning request_id`.execute(trx);
  const ids = new Set(inserted.map(({ requestId }) => requestId));
  const added = items.filter(({ requestId }) => ids.has(requestId));
  await insertRelated(trx, { accountId, batchId, type, isTest }, added);
  return added;
}

function toRow({ requestId, position, input, result }: NewItem): object {
  const outcome =
    'error' in result
      ? { state: 'failed', error: result.error, problem: result.problem ?? null }
      : { state: 'success', outcome: result.outcome };
  return { request_id: requestId, position, input, ...outcome };
}

/** Inserts the history points and stored results of new items. */
async function insertRelated(
  trx: Trx,
  { accountId, batchId, type, isTest = false }: ItemsParent,
  items: NewItem[],
): Promise<void> {
  // A canceled check has no result for the history.
  const checked = items.filter(({ result }) => !('error' in result && result.error === 'canceled'));
  if (isHistoryType(type) && !isTest) await history.save(trx, { accountId, batchId, type }, checked);
  await resultPages.save(trx, accountId, items.flatMap(withResults));
}

function withResults({ requestId, result }: NewItem) {
  if ('error' in result) return [];
  const { results, overview } = result;
  return results || overview ? [{ requestId, results, overview }] : [];
}

/** State of a batch after outcomes were recorded. */
export interface RecordedOutcomes {
  /** Outcomes that were new. */
  inserted: NewItem[];
  type: CheckType;
  isTest: boolean;
  /** Number of chunks with a job that ended with these outcomes. If it is not 0, waiting chunks can get jobs. */
  endedJobs: number;
  /** Number of items of the batch with an answer. */
  successful: number;
  isOver: boolean;
  /** Null without a webhook. */
  webhookUrl: string | null;
  /** Monitor run that created the batch; null for other batches. */
  runId: string | null;
  /** Credits refunded for these outcomes. */
  refunded: number;
  /** Token whose monthly limit the charge counted against; null without such a token. */
  tokenId: number | null;
  /** First day of the month of the charge (UTC). */
  chargedMonth: string;
}

interface Recorded extends Omit<RecordedOutcomes, 'inserted'> {
  ids: number[];
}

/**
 * Records outcomes of a batch: inserts and counts new outcomes, and refunds failed outcomes. Locks the batch until the
 * transaction ends. If the batch does not exist or has ended, returns null and writes nothing.
 */
export async function recordOutcomes(
  trx: Trx,
  { accountId, batchId }: BatchRef,
  outcomes: NewItem[],
  { isCanceled = false } = {},
): Promise<RecordedOutcomes | null> {
  const rows = toStorableJson(outcomes.map(toRow));
  const requestIds = outcomes.map(({ requestId }) => requestId);
  const chunkIds = outcomes.map(({ chunkId }) => chunkId);
  const tallied = outcomes.flatMap(({ requestId, result }) =>
    summaryWords(result).map((word) => ({ requestId, word })),
  );
  const { rows: answers } = await sql<{ done: Recorded | null }>`
    select record_outcomes(${accountId}::bigint, ${batchId}::uuid, ${rows}::json, ${requestIds}::bigint[],
      ${chunkIds}::bigint[], ${tallied.map((one) => one.requestId)}::bigint[],
      ${tallied.map(({ word }) => word)}::text[], ${isCanceled}::boolean) as done`.execute(trx);
  const done = answers[0]?.done;
  if (!done) return null;
  const { ids, ...batch } = done;
  const known = new Set(ids);
  const inserted = outcomes.filter(({ requestId }) => known.has(requestId));
  await insertRelated(trx, { accountId, batchId, type: batch.type, isTest: batch.isTest }, inserted);
  return { ...batch, inserted };
}

/** Returns the counters of the summary that an outcome increments. */
function summaryWords(result: NewItem['result']): string[] {
  if ('error' in result) return result.error === 'canceled' ? ['canceled'] : [];
  return result.tally;
}

/**
 * Finds the item of a check. Returns null if the check has no item, `isTest` does not match, or the item has expired.
 * Items are kept for `days`. Items of tests are kept for a shorter time.
 */
export async function find(
  db: Db,
  { accountId, requestId, isTest = false }: { accountId: number; requestId: number; isTest?: boolean },
  days: number,
): Promise<ItemRow | null> {
  const row = await db
    .selectFrom('items')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('requestId', '=', requestId)
    .where(
      sql<boolean>`case when batch_id is null then ${isKept(daysKept(days, { isTest }))} and ${isTest} = not ${matchesLiveCheck(accountId)}
        else not exists (
        select from batches where batches.account_id = ${accountId} and batches.batch_id = items.batch_id
          and (purged_at is not null or is_test <> ${isTest})) end`,
    )
    .executeTakeFirst();
  return (row as ItemRow | undefined) ?? null;
}

/** Matches items of single checks that do not belong to a test token. */
export function matchesLiveCheck(accountId: number): RawBuilder<boolean> {
  // The subquery looks up one key per row. A join might read all chunks.
  return sql<boolean>`not coalesce((select is_test from chunks
    where chunks.account_id = ${accountId} and chunk_id = items.request_id), false)`;
}

/**
 * Selects items of a batch after a position, by request id. Does not filter by batch id, because Postgres might then
 * use another index and read the whole batch for each page.
 */
export function selectOfBatch(db: Db, batch: BatchSpan, afterPosition = -1) {
  const { from, to } = rangeOf(batch);
  return db
    .selectFrom('items')
    .where('accountId', '=', batch.accountId)
    .where('requestId', '>', from + afterPosition)
    .where('requestId', '<', to);
}
