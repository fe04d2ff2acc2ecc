import { sql } from 'kysely';
import type { BatchStatus } from '../../schemas/batch.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type { Db } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import { toSearchPatterns } from '../postgres/text.ts';
import { type BatchRow, isInBatchRange } from './batches.ts';

interface BatchFilter {
  type?: CheckType;
  status?: BatchStatus;
  /** True for batches of test tokens. Default: false. */
  isTest?: boolean;
  /** If true, excludes batches of monitor runs. */
  isSubmitted?: boolean;
  submissionId?: string;
  /** If true, the list has only the first batch of each submission. */
  firstOfSubmission?: boolean;
  search?: BatchSearch;
}

/** Number of an account's latest batches that are searched by name and reference. */
export const searchedNamesMax = 10_000;

export interface BatchSearch {
  /** Part of a name or reference, in any case. Only the latest batches are searched. */
  text: string;
  /** Batches that match regardless of their names. */
  batchIds: string[];
}

type BatchWindow = PageParams<{ createdAt: Date; batchId: string }>;

/** Returns an account's batches, newest first. */
export function list(db: Db, accountId: number, filter: BatchFilter & BatchWindow): Promise<BatchRow[]> {
  return filtered(db, accountId, filter)
    .selectAll()
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/**
 * Returns at most `limit` batches of a submission in the order of submission, without test batches. Batches accepted at
 * the same moment are ordered by their first request ids.
 */
export function listSubmission(
  db: Db,
  accountId: number,
  submissionId: string,
  limit: number,
): Promise<BatchRow[]> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('submissionId', '=', submissionId)
    .where('isTest', '=', false)
    .orderBy('createdAt')
    .orderBy('firstRequestId')
    .orderBy('batchId')
    .limit(limit)
    .execute();
}

export function count(db: Db, accountId: number, filter: BatchFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

/** Returns the unfinished batches of an account, newest first, without test batches. */
export function listOpen(db: Db, accountId: number, limit: number): Promise<BatchRow[]> {
  return filtered(db, accountId, {}).selectAll().where('completedAt', 'is', null).limit(limit).execute();
}

export function listByIds(db: Db, accountId: number, batchIds: string[]): Promise<BatchRow[]> {
  if (batchIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('batches')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('batchId', 'in', batchIds)
    .execute();
}

function matches({ text, batchIds }: BatchSearch) {
  const pattern = toSearchPatterns(text);
  return sql<boolean>`(name ~* all(${pattern}::text[]) or reference ~* all(${pattern}::text[]) or batch_id = any(${batchIds}::uuid[]))`;
}

/** Matches the first batch of each submission, and batches without a submission. */
function isFirst(accountId: number) {
  return sql<boolean>`(submission_id is null or not exists (
    select from batches as earlier
    where earlier.account_id = ${accountId} and earlier.submission_id = batches.submission_id
      and earlier.is_test = batches.is_test
      and (earlier.created_at, earlier.first_request_id, earlier.batch_id)
        < (batches.created_at, batches.first_request_id, batches.batch_id)))`;
}

/** Matches the latest batches. This limits the scan of the index. */
function isRecent(accountId: number) {
  return sql<boolean>`created_at >= coalesce((
    select created_at from batches where account_id = ${accountId}
    order by created_at desc, batch_id desc offset ${searchedNamesMax - 1} limit 1), '-infinity')`;
}

function filtered(
  db: Db,
  accountId: number,
  { type, status, isTest = false, search, after, ...filter }: BatchFilter & Pick<BatchWindow, 'after'>,
) {
  const { isSubmitted, submissionId, firstOfSubmission } = filter;
  const rows = db
    .selectFrom('batches')
    .where('accountId', '=', accountId)
    .where('isTest', '=', isTest)
    .$if(type !== undefined, (query) => query.where('type', '=', type as CheckType))
    .$if(isSubmitted === true, (query) => query.where('runId', 'is', null))
    .$if(submissionId !== undefined, (query) => query.where('submissionId', '=', submissionId as string))
    .$if(firstOfSubmission === true, (query) => query.where(isFirst(accountId)))
    .$if(search !== undefined, (query) =>
      query.where(matches(search as BatchSearch)).where(isRecent(accountId)),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status as BatchStatus));
  return newestFirst(rows, ['createdAt', 'batchId'], after && [after.createdAt, sql`${after.batchId}::uuid`]);
}

/** Number of an account's latest batches that are searched by input. Together they have at most 200,000 inputs. */
export const searchedBatchesMax = 100;

/**
 * Searches an account's latest batches for a text in a URL, keyword or target, in any case. Returns their ids. Searches
 * `chunks`, which has at most a tenth of the rows of `items`. `chunks` also has the inputs that are not checked yet.
 */
export async function findByInput(
  db: Db,
  accountId: number,
  { text, isTest = false }: { text: string; isTest?: boolean },
): Promise<string[]> {
  // The text is escaped as in the stored JSON. A search for its first characters excludes most chunks.
  const [beginning = ''] = toSearchPatterns(JSON.stringify(text).slice(1, -1));
  const { rows } = await sql<{ batchId: string }>`
    with latest as (
      select batch_id, first_request_id, total from batches where account_id = ${accountId} and is_test = ${isTest} and purged_at is null
      order by created_at desc, batch_id desc limit ${searchedBatchesMax})
    select batch_id from latest cross join lateral (
      select true from chunks
      where account_id = ${accountId} and chunks.batch_id = latest.batch_id
        and ${isInBatchRange('latest', 'chunk_id')} and inputs::text ~* ${beginning}
        and exists (
          select from json_array_elements(inputs) as element
          where concat_ws(' ', element->'input'->>'url', element->'input'->>'keyword',
            element->'input'->>'target_url') ~* all(${toSearchPatterns(text)}::text[]))
      limit 1) as found`.execute(db);
  return rows.map(({ batchId }) => batchId);
}
