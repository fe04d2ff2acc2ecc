import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { AnswerOf, FailedInputOf, HistoryType } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import { toSearchPatterns, toStorableJson } from '../postgres/text.ts';
import { isKept } from '../retention/partitions.ts';
import type { ItemResult } from '../tables.ts';

/** Index verdict or rank of a check. The row is kept longer than the check's item and is never updated. */
export interface HistoryRow {
  requestId: number;
  /** Null for a single check. The batch may be purged. */
  batchId: string | null;
  type: HistoryType;
  state: 'success' | 'failed';
  /** Null if `state` is success. */
  error: ItemError | null;
  /** Input as it was sent. */
  input: FailedInputOf<HistoryType>;
  /** Set for index checks with an answer; otherwise null. */
  isIndexed: boolean | null;
  /** Set for rank checks that found the target; otherwise null. */
  rank: number | null;
  /** When the outcome was recorded. */
  checkedAt: Date;
}

export interface HistoryFilter {
  type: HistoryType;
  /** Maximum age. Excludes older rows that are not deleted yet. */
  days: number;
  /** Exact URL of index checks. */
  url?: string;
  /** If set, only index checks with this answer are listed. */
  isIndexed?: boolean;
  /** Part of the URL, keyword or target, ignoring case. */
  search?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

type HistoryWindow = PageParams<{ checkedAt: Date; requestId: number }>;

interface HistoryItem {
  requestId: number;
  input: object;
  result: ItemResult;
}

/** Inserts verdicts and ranks. Call this in the transaction that inserts their items. */
export async function save(
  trx: Trx,
  { accountId, batchId, type }: { accountId: number; batchId: string | null; type: HistoryType },
  items: HistoryItem[],
): Promise<void> {
  const rows = items.map(({ requestId, input, result }) => ({
    request_id: requestId,
    input,
    series: hashSeries(type, input).toString('hex'),
    ...('error' in result
      ? { state: 'failed', error: result.error }
      : { state: 'success', ...toColumns[type](result.outcome as never) }),
  }));
  if (rows.length === 0) return;
  // The statement selects from `accounts`, so that a cluster runs the whole statement on the account's node.
  await sql`
    insert into history (account_id, request_id, batch_id, type, state, error, input, series, is_indexed, rank)
    select accounts.account_id, request_id, ${batchId}::uuid, ${type}, state, error, input, decode(series, 'hex'),
      is_indexed, rank
    from accounts cross join json_to_recordset(${toStorableJson(rows)}::json) as point
      (request_id bigint, input json, series text, state text, error text, is_indexed boolean, rank int)
    where accounts.account_id = ${accountId}
    on conflict do nothing`.execute(trx);
}

/** Returns the columns that depend on the input and the answer. */
export function toPoint(
  type: HistoryType,
  input: object,
  outcome: object,
): { series: Buffer; isIndexed: boolean | null; rank: number | null } {
  const { is_indexed: isIndexed = null, rank = null } = toColumns[type](outcome as never);
  return { series: hashSeries(type, input), isIndexed, rank };
}

/** Returns history rows, newest first. */
export function list(
  db: Db,
  accountId: number,
  filter: HistoryFilter & HistoryWindow,
): Promise<HistoryRow[]> {
  return filtered(db, accountId, filter)
    .select(['requestId', 'batchId', 'type', 'state', 'error', 'input', 'isIndexed', 'rank', 'checkedAt'])
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** Returns the competitors of rank checks, each once, the most recent first. */
export async function listCompetitorUrls(
  db: Db,
  accountId: number,
  filter: HistoryFilter,
  limit: number,
): Promise<string[]> {
  // The checks of a monitor repeat the same few lists.
  const lists = filtered(db, accountId, filter)
    .clearOrderBy()
    .select([sql`input->>'competitor_urls'`.as('urls'), sql`max(request_id)`.as('latest')])
    .groupBy('urls');
  const { rows } = await sql<{ url: string }>`
    select url from (${lists}) as lists
    cross join lateral json_array_elements_text(urls::json) with ordinality as listed (url, place)
    group by url order by max(latest) desc, min(place) limit ${limit}`.execute(db);
  return rows.map(({ url }) => url);
}

export function count(db: Db, accountId: number, filter: HistoryFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

function filtered(db: Db, accountId: number, filter: HistoryFilter & Pick<HistoryWindow, 'after'>) {
  const { type, days, url, isIndexed, search, from, to, after } = filter;
  const rows = db
    .selectFrom('history')
    .where('accountId', '=', accountId)
    .where('type', '=', type)
    .where(isKept(days))
    .$if(url !== undefined, (query) => query.where('series', '=', hashSeries('index', { url })))
    // Without `is not null`, Postgres does not use the partial index of verdicts.
    .$if(isIndexed !== undefined, (query) =>
      query.where('isIndexed', '=', isIndexed === true).where('isIndexed', 'is not', null),
    )
    .$if(search !== undefined, (query) => {
      const text = sql`concat_ws(' ', input->>'url', input->>'keyword', input->>'target_url')`;
      return query.where(sql<boolean>`${text} ~* all(${toSearchPatterns(search ?? '')}::text[])`);
    })
    .$if(from !== undefined, (query) => query.where('checkedAt', '>=', from as Date))
    .$if(to !== undefined, (query) => query.where('checkedAt', '<', to as Date));
  return newestFirst(rows, ['checkedAt', 'requestId'], after && [after.checkedAt, after.requestId]);
}

/** Hashes the fields of an input that identify its series. */
export function hashSeries(type: HistoryType, input: object): Buffer {
  const asked = input as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify(seriesParts[type](asked)))
    .digest();
}

const seriesParts: Record<HistoryType, (asked: Record<string, unknown>) => unknown[]> = {
  index: ({ url }) => [String(url).trim()],
  // Queries without a location keep the hash that they had before locations were supported.
  keyword: ({ keyword, target_url, country, language, device, match, location }) => [
    ...[keyword, target_url, country, language, device, match],
    ...(location === undefined ? [] : [location]),
  ],
};

const toColumns: {
  [T in HistoryType]: (answer: AnswerOf<T>) => { is_indexed?: boolean; rank?: number | null };
} = {
  index: ({ is_indexed }) => ({ is_indexed }),
  keyword: ({ rank }) => ({ rank }),
};
