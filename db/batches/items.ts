import { type RawBuilder, sql } from 'kysely';
import {
  type AnswerOf,
  type AskedOf,
  type CheckType,
  type InputOf,
  isHistoryType,
} from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { rangeOf } from '../postgres/id-range.ts';
import { storableJson } from '../postgres/text.ts';
import { daysKept, isKept } from '../retention/kept.ts';
import type { ChunkInput, ItemAnswer, ItemResult } from '../tables.ts';
import type { BatchRef, BatchSpan } from './batches.ts';
import * as history from './history.ts';
import * as resultPages from './result-pages.ts';

export type { ItemAnswer, ItemResult };

/** The outcome of one input, ready to be stored. */
export interface NewItem {
  requestId: number;
  chunkId: number;
  position: number | null;
  input: InputOf | AskedOf;
  result: ItemResult;
}

interface ItemOf<T extends CheckType> {
  /** Given out at acceptance, and the caller's name for the check for good. */
  requestId: number;
  /** Null for a single check. */
  batchId: string | null;
  /** Its place in the list that was submitted, from 0; null exactly for a single check. */
  position: number | null;
  type: T;
  checkedAt: Date;
}

interface AnsweredItem<T extends CheckType> extends ItemOf<T> {
  state: 'success';
  input: InputOf<T>;
  outcome: AnswerOf<T>;
  error: null;
}

interface FailedItem<T extends CheckType> extends ItemOf<T> {
  state: 'failed';
  /** As far as it could be read, where it is no input at all (`invalid_url`). */
  input: AskedOf<T>;
  outcome: null;
  error: ItemError;
  /** Why an entry was skipped at acceptance, as a sentence; null for all other items. */
  problem: string | null;
}

/** The outcome of one input, inserted once and never updated; told apart by `type` and `state`. */
export type ItemRow = { [T in CheckType]: AnsweredItem<T> | FailedItem<T> }[CheckType];

/** The item of an input that gets no answer. */
export function failedItem(input: ChunkInput & { chunkId: number }, error: ItemError): NewItem {
  const { request_id: requestId, chunkId, position } = input;
  return { requestId, chunkId, position, input: input.input, result: { error } };
}

/** What items are of: a batch, or a single check where that is null. */
export interface ItemsOf {
  accountId: number;
  batchId: string | null;
  type: CheckType;
  /** Asked for by a test token; missing for live ones. */
  isTest?: boolean;
}

/** Inserts outcomes and answers those that were really inserted: the first writer wins. */
export async function insert(
  trx: Trx,
  { accountId, batchId, type, isTest }: ItemsOf,
  items: NewItem[],
): Promise<NewItem[]> {
  if (items.length === 0) return [];
  const rows = items.map(rowOf);
  // Beside the account's row, so that a cluster hands the whole statement to the node which has that.
  const { rows: inserted } = await sql<{ requestId: number }>`
    insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error, problem)
    select accounts.account_id, request_id, ${batchId}::uuid, position, ${type}, state, input, outcome, error, problem
    from accounts cross join json_to_recordset(${storableJson(rows)}::json)
      as item (request_id bigint, position int, state text, input json, outcome json, error text, problem text)
    where accounts.account_id = ${accountId}
    on conflict do nothing
    returning request_id`.execute(trx);
  const ids = new Set(inserted.map(({ requestId }) => requestId));
  const really = items.filter(({ requestId }) => ids.has(requestId));
  await keepBesides(trx, { accountId, batchId, type, isTest }, really);
  return really;
}

/** An item as its table has it, in JSON. */
function rowOf({ requestId, position, input, result }: NewItem): object {
  const outcome =
    'error' in result
      ? { state: 'failed', error: result.error, problem: result.problem ?? null }
      : { state: 'success', outcome: result.outcome };
  return { request_id: requestId, position, input, ...outcome };
}

/** Keeps what outlives items, or is kept apart from them, of those that were inserted. */
async function keepBesides(
  trx: Trx,
  { accountId, batchId, type, isTest = false }: ItemsOf,
  items: NewItem[],
): Promise<void> {
  // What was canceled says nothing of an address, and would be kept for years.
  const asked = items.filter(({ result }) => !('error' in result && result.error === 'canceled'));
  // Nor does what was invented.
  if (isHistoryType(type) && !isTest) await history.keep(trx, { accountId, batchId, type }, asked);
  await resultPages.keep(trx, accountId, items.flatMap(withResults));
}

function withResults({ requestId, result }: NewItem) {
  return 'error' in result || !result.results ? [] : [{ requestId, results: result.results }];
}

/** What has become of a batch by recording, and which of the outcomes were new. */
export interface RecordedOutcomes {
  inserted: NewItem[];
  type: CheckType;
  /** Asked for by a test token. */
  isTest: boolean;
  /** How many chunks that had a job these were the last of: so many jobs more there may be. */
  endedJobs: number;
  /** Items of the batch with an answer. */
  successful: number;
  isOver: boolean;
  /** Where its end is to be told; null for nowhere. */
  webhookUrl: string | null;
  /** How many of these were refunded. */
  refunded: number;
  /** The token with a monthly limit that the batch was charged against; null for none. */
  tokenId: number | null;
  /** In which month. */
  chargedMonth: string;
}

interface Answer extends Omit<RecordedOutcomes, 'inserted'> {
  ids: number[];
}

/**
 * Records outcomes of a batch: the first writer wins; what is new is counted, and given back where it failed. Locks
 * the batch until the transaction ends. Null, and nothing is done, when the account has no such batch or it has ended.
 */
export async function recordOutcomes(
  trx: Trx,
  { accountId, batchId }: BatchRef,
  outcomes: NewItem[],
  { isCanceled = false } = {},
): Promise<RecordedOutcomes | null> {
  const rows = storableJson(outcomes.map(rowOf));
  const requestIds = outcomes.map(({ requestId }) => requestId);
  const chunkIds = outcomes.map(({ chunkId }) => chunkId);
  const tallied = outcomes.flatMap(({ requestId, result }) =>
    wordsOf(result).map((word) => ({ requestId, word })),
  );
  const { rows: answers } = await sql<{ done: Answer | null }>`
    select record_outcomes(${accountId}::bigint, ${batchId}::uuid, ${rows}::json, ${requestIds}::bigint[],
      ${chunkIds}::bigint[], ${tallied.map((one) => one.requestId)}::bigint[],
      ${tallied.map(({ word }) => word)}::text[], ${isCanceled}::boolean) as done`.execute(trx);
  const done = answers[0]?.done;
  if (!done) return null;
  const { ids, ...batch } = done;
  const known = new Set(ids);
  const inserted = outcomes.filter(({ requestId }) => known.has(requestId));
  await keepBesides(trx, { accountId, batchId, type: batch.type, isTest: batch.isTest }, inserted);
  return { ...batch, inserted };
}

/** What an outcome adds one to in the summary: canceled items are told apart from those that failed. */
function wordsOf(result: NewItem['result']): string[] {
  if ('error' in result) return result.error === 'canceled' ? ['canceled'] : [];
  return result.tally;
}

/**
 * The item of one check, single or of a batch, of a test token or live; null when the account has none of that kind
 * with this id that is settled, or it was to be kept for `days` and is only waiting to go with others.
 */
export async function find(
  db: Db | Trx,
  { accountId, requestId, isTest = false }: { accountId: number; requestId: number; isTest?: boolean },
  days: number,
): Promise<ItemRow | null> {
  const row = await db
    .selectFrom('items')
    .select(itemColumns)
    .where('accountId', '=', accountId)
    .where('requestId', '=', requestId)
    .where(
      sql<boolean>`case when batch_id is null then ${isKept(daysKept(days, { isTest }))} and ${isTest} = not ${isOfLiveCheck(accountId)}
        else not exists (
        select from batches where batches.account_id = ${accountId} and batches.batch_id = items.batch_id
          and (purged_at is not null or is_test <> ${isTest})) end`,
    )
    .executeTakeFirst();
  return (row as ItemRow | undefined) ?? null;
}

/** That no test token asked for the single check that an item is of. */
export function isOfLiveCheck(accountId: number): RawBuilder<boolean> {
  // Looked up by key for each: a join might read all chunks there are.
  return sql<boolean>`not coalesce((select is_test from chunks
    where chunks.account_id = ${accountId} and chunk_id = items.request_id), false)`;
}

/** Items of a batch in the order of submission, from after `afterPosition` on. */
export async function page(
  db: Db | Trx,
  batch: BatchSpan,
  { afterPosition, limit, state }: { afterPosition: number; limit: number; state?: 'success' | 'failed' },
): Promise<ItemRow[]> {
  const rows = await ofBatch(db, batch, afterPosition)
    .select(itemColumns)
    .$if(state !== undefined, (query) => query.where('state', '=', state as 'success'))
    .orderBy('requestId')
    .limit(limit)
    .execute();
  return rows as ItemRow[];
}

/**
 * Items of a batch after a position, found by their request ids alone. The batch id is left out, because with it
 * Postgres may choose another index and read the whole batch for each page.
 */
export function ofBatch(db: Db | Trx, batch: BatchSpan, afterPosition = -1) {
  const { from, to } = rangeOf(batch);
  return db
    .selectFrom('items')
    .where('accountId', '=', batch.accountId)
    .where('requestId', '>', from + afterPosition)
    .where('requestId', '<', to);
}

/** The columns of an item as its row type has them. */
export const itemColumns = [
  'requestId',
  'batchId',
  'position',
  'type',
  'state',
  'input',
  'outcome',
  'error',
  'problem',
  'checkedAt',
] as const;
