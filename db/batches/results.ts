import { type RawBuilder, sql } from 'kysely';
import { type AskedOf, type CheckType, checkTypes, type InputOf } from '../../schemas/check-types.ts';
import type { Db } from '../postgres/connect.ts';
import { containing } from '../postgres/text.ts';
import type { BatchRow, BatchSpan } from './batches.ts';
import { type ItemRow, itemColumns, ofBatch } from './items.ts';

/** Which items of a batch to show; the words that fit its type are those of `filtersOf`. */
export type ResultFilter = (typeof checkTypes)[CheckType]['filters'][number];
/** By the place in the list, by address or keyword, by what was found, or by when that was. */
export type ResultSort = 'position' | 'asked' | 'answer' | 'time';

/** Some items of a batch; all of them where nothing is said. */
export interface Selection {
  /** Those with this kind of outcome. */
  show?: ResultFilter;
  /** Found anywhere in the address or keyword, in any case. */
  search?: string;
  /** These alone. */
  requestIds?: number[];
}

/** Which items of a batch a page shows, and in what order; those that are equal stay in that of submission. */
export interface ResultQuery extends Selection {
  sort: ResultSort;
  /** What has no answer comes last either way. */
  isDescending: boolean;
  /** Items on the page. */
  limit: number;
  /** Items before it. */
  offset: number;
}

/**
 * Items of a batch, filtered, searched, sorted, and how many there are on all pages. A batch has 2,000 at
 * most.
 */
export async function page(
  db: Db,
  batch: BatchRow,
  query: ResultQuery,
): Promise<{ rows: ItemRow[]; total: number }> {
  const { sort, isDescending, limit, offset } = query;
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`;
  const rows = await selected(db, batch, query)
    .select(itemColumns)
    .select(sql<number>`count(*) over ()`.as('total'))
    .orderBy(sql`${keyOf(sort, batch.type)} ${direction}, position`)
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows: rows as unknown as ItemRow[], total: rows[0]?.total ?? 0 };
}

/** Some items of a batch in the order of submission, from after `afterPosition` on. */
export async function after(
  db: Db,
  batch: BatchSpan,
  { afterPosition, limit, ...selection }: Selection & { afterPosition: number; limit: number },
): Promise<ItemRow[]> {
  const rows = await selected(db, batch, selection, afterPosition)
    .select(itemColumns)
    .orderBy('requestId')
    .limit(limit)
    .execute();
  return rows as ItemRow[];
}

/** What was asked of some items of a batch, in the order of submission; entries that never were a check left out. */
export async function inputs(
  db: Db,
  batch: BatchSpan,
  { limit, ...selection }: Selection & { limit: number },
): Promise<Array<InputOf | AskedOf>> {
  const rows = await selected(db, batch, selection)
    .select('input')
    .where(isCheck)
    .orderBy('requestId')
    .limit(limit)
    .execute();
  return rows.map(({ input }) => input);
}

/** What was asked at a place of the list; as it was sent where it never was a check. */
export interface AskedRow {
  position: number;
  input: InputOf | AskedOf;
}

/** The same from after `afterPosition` on, entries that never were a check included. */
export async function asked(
  db: Db,
  batch: BatchSpan,
  { afterPosition, limit, ...selection }: Selection & { afterPosition: number; limit: number },
): Promise<AskedRow[]> {
  const rows = await selected(db, batch, selection, afterPosition)
    .select(['position', 'input'])
    .orderBy('requestId')
    .limit(limit)
    .execute();
  return rows as AskedRow[];
}

/** How many checks that are. */
export async function countInputs(db: Db, batch: BatchSpan, selection: Selection): Promise<number> {
  const { checks } = await selected(db, batch, selection)
    .select(sql<number>`count(*)`.as('checks'))
    .where(isCheck)
    .executeTakeFirstOrThrow();
  return checks;
}

/** How many items of a batch each of some filters shows. */
export async function countShown<Filter extends ResultFilter>(
  db: Db,
  batch: BatchSpan,
  filters: readonly Filter[],
): Promise<Record<Filter, number>> {
  const counts = filters.map((show) =>
    sql<number>`count(*) filter (where ${conditions[show]})`.as(`shown_${show}`),
  );
  const row = (await selected(db, batch, {}).select(counts).executeTakeFirstOrThrow()) as Record<
    string,
    number
  >;
  return Object.fromEntries(filters.map((show, at) => [show, Number(Object.values(row)[at])])) as Record<
    Filter,
    number
  >;
}

const isCheck = sql<boolean>`error is distinct from 'invalid_url'`;

function selected(db: Db, batch: BatchSpan, { show, search, requestIds }: Selection, afterPosition?: number) {
  return ofBatch(db, batch, afterPosition)
    .$if(show !== undefined, (some) => some.where(conditions[show as ResultFilter]))
    .$if(search !== undefined, (some) =>
      some.where(sql<boolean>`${askedText} ilike ${containing(search ?? '')}`),
    )
    .$if(requestIds !== undefined, (some) =>
      some.where('requestId', '=', sql<number>`any(${requestIds}::bigint[])`),
    );
}

/** The filters that make sense for a type, in the order of good news to bad. */
export function filtersOf(type: CheckType): ResultFilter[] {
  return [...checkTypes[type].filters];
}

const status = sql`(outcome->>'status')::int`;
const rank = sql`(outcome->>'rank')::int`;
const isTrue = (field: string) => sql`(outcome->>${sql.lit(field)})::boolean`;

/** From where on an answer is called slow. */
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

function keyOf(sort: ResultSort, type: CheckType): RawBuilder<unknown> {
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
