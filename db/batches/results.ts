import { type RawBuilder, sql } from 'kysely';
import { type CheckType, checkTypes, type FailedInputOf, type InputOf } from '../../schemas/check-types.ts';
import type { Db } from '../postgres/connect.ts';
import { toSearchPatterns } from '../postgres/text.ts';
import { type BatchRow, type BatchSpan, rangeOf } from './batches.ts';
import { type ItemRow, selectOfBatch } from './items.ts';

/** Kind of outcome. Each check type has its own kinds. */
export type ResultFilter = (typeof checkTypes)[CheckType]['filters'][number];
/** Sort key: position, URL or keyword, result, or time. */
type ResultSort = 'position' | 'asked' | 'answer' | 'time';

export interface Selection {
  show?: ResultFilter;
  /** Part of the URL, keyword or target, in any case. */
  search?: string;
  requestIds?: number[];
}

/** Parameters of a page of items. Items with equal sort keys are in the order of submission. */
interface ResultQuery extends Selection {
  sort: ResultSort;
  /** Items without an answer come last in both directions. */
  isDescending: boolean;
  limit: number;
  offset: number;
}

/** Returns a page of items. `total` is the number of items on all pages. */
export async function page(
  db: Db,
  batch: BatchRow,
  query: ResultQuery,
): Promise<{ rows: ItemRow[]; total: number }> {
  const { sort, isDescending, limit, offset } = query;
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`;
  const rows = await selectItems(db, batch, query)
    .selectAll()
    .select(sql<number>`count(*) over ()`.as('total'))
    .orderBy(sql`${sortKey(sort, batch.type)} ${direction}, position`)
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows: rows as unknown as ItemRow[], total: rows[0]?.total ?? 0 };
}

/** Returns items in the order of submission, after a position. */
export async function pageAfter(
  db: Db,
  batch: BatchSpan,
  { afterPosition, limit, ...selection }: Selection & { afterPosition: number; limit: number },
): Promise<ItemRow[]> {
  const rows = await selectItems(db, batch, selection, afterPosition)
    .selectAll()
    .orderBy('requestId')
    .limit(limit)
    .execute();
  return rows as ItemRow[];
}

/** Returns valid inputs in the order of submission. */
export async function listInputs(
  db: Db,
  batch: BatchSpan,
  { limit, ...selection }: Selection & { limit: number },
): Promise<Array<InputOf | FailedInputOf>> {
  const rows = await selectItems(db, batch, selection)
    .select('input')
    .where(isCheck)
    .orderBy('requestId')
    .limit(limit)
    .execute();
  return rows.map(({ input }) => input);
}

/** An input with its position. An invalid input is unchanged from the request. */
export interface InputRow {
  position: number;
  input: InputOf | FailedInputOf;
}

/** Returns inputs in the order of submission after a position, including invalid inputs. */
export async function listInputsAfter(
  db: Db,
  batch: BatchSpan,
  { afterPosition, limit, ...selection }: Selection & { afterPosition: number; limit: number },
): Promise<InputRow[]> {
  const rows = await selectItems(db, batch, selection, afterPosition)
    .select(['position', 'input'])
    .orderBy('requestId')
    .limit(limit)
    .execute();
  return rows as InputRow[];
}

export async function countInputs(db: Db, batch: BatchSpan, selection: Selection): Promise<number> {
  const { checks } = await selectItems(db, batch, selection)
    .select(sql<number>`count(*)`.as('checks'))
    .where(isCheck)
    .executeTakeFirstOrThrow();
  return checks;
}

/** Returns the credits that checking the valid inputs again costs at acceptance. */
export async function sumPrices(db: Db, batch: BatchSpan, selection: Selection): Promise<number> {
  const wants = sql`coalesce((input->'include')::jsonb ? 'ai_overview', false)::int`;
  const { price } = await selectItems(db, batch, selection)
    .select(sql<number>`coalesce(sum(1 + ${wants}), 0)`.as('price'))
    .where(isCheck)
    .executeTakeFirstOrThrow();
  return price;
}

/** Returns the competitors of a batch's queries, each once, in the order in which they first appear. */
export async function listCompetitorUrls(
  db: Db,
  { accountId, ...batch }: BatchSpan,
  limit: number,
): Promise<string[]> {
  const { from, to } = rangeOf(batch);
  // `place` is less than 16, because a query has at most 10 competitors.
  const { rows } = await sql<{ url: string }>`
    select url from items
    cross join lateral json_array_elements_text(input->'competitor_urls') with ordinality as listed (url, place)
    where account_id = ${accountId} and request_id >= ${from} and request_id < ${to}
    group by url order by min(request_id * 16 + place) limit ${limit}`.execute(db);
  return rows.map(({ url }) => url);
}

export async function countByFilter<Filter extends ResultFilter>(
  db: Db,
  batch: BatchSpan,
  filters: readonly Filter[],
): Promise<Record<Filter, number>> {
  const counts = filters.map((show) =>
    sql<number>`count(*) filter (where ${conditions[show]})`.as(`shown_${show}`),
  );
  const row = (await selectItems(db, batch, {}).select(counts).executeTakeFirstOrThrow()) as Record<
    string,
    number
  >;
  return Object.fromEntries(filters.map((show, at) => [show, Number(Object.values(row)[at])])) as Record<
    Filter,
    number
  >;
}

const isCheck = sql<boolean>`error is distinct from 'invalid_url'`;

function selectItems(
  db: Db,
  batch: BatchSpan,
  { show, search, requestIds }: Selection,
  afterPosition?: number,
) {
  return selectOfBatch(db, batch, afterPosition)
    .$if(show !== undefined, (some) => some.where(conditions[show as ResultFilter]))
    .$if(search !== undefined, (some) =>
      some.where(sql<boolean>`${askedText} ~* all(${toSearchPatterns(search ?? '')}::text[])`),
    )
    .$if(requestIds !== undefined, (some) =>
      some.where('requestId', '=', sql<number>`any(${requestIds}::bigint[])`),
    );
}

export function getFilters(type: CheckType): ResultFilter[] {
  return [...checkTypes[type].filters];
}

const status = sql`(outcome->>'status')::int`;
const rank = sql`(outcome->>'rank')::int`;
const isTrue = (field: string) => sql`(outcome->>${sql.lit(field)})::boolean`;

/** Shortest response time that counts as slow. */
const slowMs = 2_000;

const conditions: Record<ResultFilter, RawBuilder<boolean>> = {
  failed: sql<boolean>`state = 'failed'`,
  not_checked: sql<boolean>`error not in ('invalid_url', 'canceled')`,
  canceled: sql<boolean>`error = 'canceled'`,
  skipped: sql<boolean>`error = 'invalid_url'`,
  ok: sql<boolean>`${status} between 200 and 299 and not ${isTrue('is_soft404')}`,
  soft404: sql<boolean>`${isTrue('is_soft404')}`,
  redirect: sql<boolean>`${status} between 300 and 399`,
  client_error: sql<boolean>`${status} between 400 and 499`,
  server_error: sql<boolean>`${status} between 500 and 599`,
  unreachable: sql<boolean>`${status} = 0`,
  other_status: sql<boolean>`(${status} between 100 and 199 or ${status} > 599)`,
  dead: sql<boolean>`(${status} = 0 or ${status} between 400 and 599)`,
  redirected: sql<boolean>`(outcome->>'redirect_count')::int > 0`,
  redirect_chain: sql<boolean>`(outcome->>'redirect_count')::int > 1`,
  temporary_redirect: sql<boolean>`jsonb_path_exists(outcome::jsonb, '$.redirects[*].status ? (@ == 302 || @ == 303 || @ == 307)')
    or ${status} in (302, 303, 307)`,
  slow: sql<boolean>`(outcome->>'response_time_ms')::int >= ${sql.lit(slowMs)} and ${status} > 0`,
  noindex: sql<boolean>`outcome->>'noindex' is not null`,
  canonical_elsewhere: sql<boolean>`outcome->>'canonical' <> outcome->>'final_url'`,
  bot_wall: sql<boolean>`outcome->>'bot_wall' is not null`,
  indexed: sql<boolean>`${isTrue('is_indexed')}`,
  not_indexed: sql<boolean>`not ${isTrue('is_indexed')}`,
  ranked: sql<boolean>`${rank} is not null`,
  not_ranked: sql<boolean>`state = 'success' and ${rank} is null`,
  top_3: sql<boolean>`${rank} <= 3`,
  rank_4_10: sql<boolean>`${rank} between 4 and 10`,
  rank_11_20: sql<boolean>`${rank} between 11 and 20`,
  below_20: sql<boolean>`${rank} > 20`,
};

const askedText = sql<string>`coalesce(input->>'url', concat_ws(' ', input->>'keyword', input->>'target_url'))`;

function sortKey(sort: ResultSort, type: CheckType): RawBuilder<unknown> {
  switch (sort) {
    case 'position':
      return sql`position`;
    case 'asked':
      return askedText;
    case 'answer':
      return sql`nullif((outcome->${checkTypes[type].answerField})::text, 'null')::jsonb`;
    case 'time':
      return sql`checked_at`;
  }
}
