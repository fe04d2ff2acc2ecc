import { sql } from 'kysely';
import type { BatchStatus } from '../../schemas/batch.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type { Db } from '../postgres/connect.ts';
import { isInRangeOf } from '../postgres/id-range.ts';
import { countUpTo, newestFirst, type Window } from '../postgres/keyset.ts';
import { containing } from '../postgres/text.ts';
import { type BatchRow, batchColumns } from './batches.ts';

/**
 * Which batches are meant: all live ones of the account's where nothing is said, else those of which all of it is
 * true.
 */
export interface BatchFilter {
  type?: CheckType;
  /** As it is at the moment of the look. */
  status?: BatchStatus;
  /** Those of test tokens; live ones where nothing is said. */
  isTest?: boolean;
  /** Those that were submitted, none of a monitor's run. */
  isOwn?: boolean;
  /** Those that were submitted together. */
  submissionId?: string;
  /** Of those that were submitted together the first alone stands for all. */
  isFolded?: boolean;
  search?: BatchSearch;
}

/** How many of an account's latest batches are looked through for a name or reference. */
export const namedBatchesMax = 10_000;

export interface BatchSearch {
  /** Found anywhere in the name or reference of one of the latest batches, in any case. */
  text: string;
  /** These are found whatever they are called. */
  batchIds: string[];
}

type BatchWindow = Window<{ createdAt: Date; batchId: string }>;

/** An account's batches, live ones or tests, newest first. */
export function list(db: Db, accountId: number, filter: BatchFilter & BatchWindow): Promise<BatchRow[]> {
  return filtered(db, accountId, filter)
    .select(batchColumns)
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/**
 * At most `limit` live batches of a submission, as they were submitted. Those that were accepted together are told
 * apart by their first request ids.
 */
export function ofSubmission(
  db: Db,
  accountId: number,
  submissionId: string,
  limit: number,
): Promise<BatchRow[]> {
  return db
    .selectFrom('batches')
    .select(batchColumns)
    .where('accountId', '=', accountId)
    .where('submissionId', '=', submissionId)
    .where('isTest', '=', false)
    .orderBy('createdAt')
    .orderBy('firstRequestId')
    .orderBy('batchId')
    .limit(limit)
    .execute();
}

/** How many there are, counted up to `max`. */
export function count(db: Db, accountId: number, filter: BatchFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

/** Live ones of an account that have not ended, newest first. */
export function listOpen(db: Db, accountId: number, limit: number): Promise<BatchRow[]> {
  return filtered(db, accountId, {})
    .select(batchColumns)
    .where('completedAt', 'is', null)
    .limit(limit)
    .execute();
}

/** Of these ids, the batches that the account has. */
export function listByIds(db: Db, accountId: number, batchIds: string[]): Promise<BatchRow[]> {
  if (batchIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('batches')
    .select(batchColumns)
    .where('accountId', '=', accountId)
    .where('batchId', 'in', batchIds)
    .execute();
}

function found({ text, batchIds }: BatchSearch) {
  const pattern = containing(text);
  return sql<boolean>`(name ilike ${pattern} or reference ilike ${pattern} or batch_id = any(${batchIds}::uuid[]))`;
}

/** Of its submission; so is whatever is of none. */
function isFirst(accountId: number) {
  return sql<boolean>`(submission_id is null or not exists (
    select from batches as earlier
    where earlier.account_id = ${accountId} and earlier.submission_id = batches.submission_id
      and earlier.is_test = batches.is_test
      and (earlier.created_at, earlier.first_request_id, earlier.batch_id)
        < (batches.created_at, batches.first_request_id, batches.batch_id)))`;
}

/** Bounds the walk along the index; of those that came at the same moment as the last one, all are late. */
function isLate(accountId: number) {
  return sql<boolean>`created_at >= coalesce((
    select created_at from batches where account_id = ${accountId}
    order by created_at desc, batch_id desc offset ${namedBatchesMax - 1} limit 1), '-infinity')`;
}

function filtered(
  db: Db,
  accountId: number,
  {
    type,
    status,
    isTest = false,
    isOwn,
    submissionId,
    isFolded,
    search,
    after,
  }: BatchFilter & Pick<BatchWindow, 'after'>,
) {
  const rows = db
    .selectFrom('batches')
    .where('accountId', '=', accountId)
    .where('isTest', '=', isTest)
    .$if(type !== undefined, (query) => query.where('type', '=', type as CheckType))
    .$if(isOwn === true, (query) => query.where('runId', 'is', null))
    .$if(submissionId !== undefined, (query) => query.where('submissionId', '=', submissionId as string))
    .$if(isFolded === true, (query) => query.where(isFirst(accountId)))
    .$if(search !== undefined, (query) => query.where(found(search as BatchSearch)).where(isLate(accountId)))
    .$if(status !== undefined, (query) => query.where('status', '=', status as BatchStatus));
  return newestFirst(rows, ['createdAt', 'batchId'], after && [after.createdAt, sql`${after.batchId}::uuid`]);
}

/** How many of an account's latest batches are looked through for an address: 200,000 of them at most. */
export const searchedBatchesMax = 100;

/**
 * Which of the latest batches of an account, live ones or tests, have this text in an address, a keyword or its
 * target, in any case: their ids. Chunks are read rather than items: a fiftieth of the rows, and what is not checked
 * yet is found, too.
 */
export async function withInput(
  db: Db,
  accountId: number,
  { text, isTest = false }: { text: string; isTest?: boolean },
): Promise<string[]> {
  // As it stands in the JSON of a chunk, so that most chunks are told by one look at their text.
  const inJson = containing(JSON.stringify(text).slice(1, -1));
  const { rows } = await sql<{ batchId: string }>`
    with latest as (
      select batch_id, first_request_id, total from batches where account_id = ${accountId} and is_test = ${isTest} and purged_at is null
      order by created_at desc, batch_id desc limit ${searchedBatchesMax})
    select batch_id from latest cross join lateral (
      select true from chunks
      where account_id = ${accountId} and chunks.batch_id = latest.batch_id
        and ${isInRangeOf('latest', 'chunk_id')} and inputs::text ilike ${inJson}
        and exists (
          select from json_array_elements(inputs) as element
          where concat_ws(' ', element->'input'->>'url', element->'input'->>'keyword',
            element->'input'->>'target_url') ilike ${containing(text)})
      limit 1) as found`.execute(db);
  return rows.map(({ batchId }) => batchId);
}
