import { type RawBuilder, sql } from 'kysely';
import { getCompetitorRank } from '../../schemas/competitor-rank.ts';
import type { RankAnswer, RankQuery } from '../../schemas/keyword.ts';
import type { Db } from '../postgres/connect.ts';
import { toSearchPatterns } from '../postgres/text.ts';
import { isKept } from '../retention/partitions.ts';

/** A query that was checked more than once, with the latest rank. */
export interface RankSeries {
  /** SHA-256 of the query and its target, in hex. */
  series: string;
  input: RankQuery;
  /** Rank at the last check; null if the target was not found. */
  rank: number | null;
  checkedAt: Date;
}

export interface RankPoint {
  requestId: number;
  checkedAt: Date;
  /** Null if the target was not found. */
  rank: number | null;
}

interface RankSeriesPage {
  /** Last checked first. */
  rows: RankSeries[];
  /** Number of queries on all pages. */
  total: number;
}

interface RankSeriesQuery {
  /** Maximum age of checks. Excludes older rows that are not deleted yet. */
  days: number;
  /** Part of the keyword, target or location, in any case. */
  search?: string;
  /** If set, only this keyword and target are listed, in all countries, languages and devices. */
  query?: Pick<RankQuery, 'keyword' | 'target_url'>;
  limit: number;
  offset?: number;
}

/**
 * Returns the queries of an account that were checked more than once, the last checked first. Each series takes one
 * index look-up per partition, however often its query was checked.
 */
export async function list(
  db: Db,
  accountId: number,
  { days, search = '', query, limit, offset = 0 }: RankSeriesQuery,
): Promise<RankSeriesPage> {
  const isAsked = query
    ? sql`input->>'keyword' = ${query.keyword} and input->>'target_url' = ${query.target_url}`
    : sql`concat_ws(' ', input->>'keyword', input->>'target_url', input->>'location') ~* all(${toSearchPatterns(search)}::text[])`;
  // With this condition, Postgres skips partitions that are still empty or have only old rows.
  const isCurrent = sql`${isKept(days)} and checked_at <= now()`;
  const { rows } = await sql<RankSeries & { total: number }>`
    with recursive every as (
      (select series from history where account_id = ${accountId} and type = 'keyword' and ${isCurrent}
        order by series limit 1)
      union all
      select (
        select series from history
        where account_id = ${accountId} and type = 'keyword' and history.series > every.series and ${isCurrent}
        order by series limit 1)
      from every where series is not null)
    select encode(every.series, 'hex') as series, input, rank, checked_at, count(*) over () as total
    from every
    cross join lateral (
      select input, rank, checked_at, request_id from history
      where account_id = ${accountId} and type = 'keyword' and history.series = every.series and state = 'success'
        and ${isKept(days)}
      order by checked_at desc, request_id desc limit 1) as latest
    where ${isAsked}
      and exists (
        select from history
        where account_id = ${accountId} and type = 'keyword' and history.series = every.series
          and state = 'success' and history.request_id <> latest.request_id and ${isKept(days)})
    order by checked_at desc, request_id desc
    limit ${limit} offset ${offset}`.execute(db);
  return { rows: rows.map(({ total: _, ...row }) => row), total: Number(rows[0]?.total ?? 0) };
}

/** Returns the last points of a series, oldest first. Returns no points if the account has no such series. */
export async function listPoints(
  db: Db,
  accountId: number,
  series: string,
  { days, limit }: Pick<RankSeriesQuery, 'days' | 'limit'>,
): Promise<{ input: RankQuery | null; points: RankPoint[] }> {
  const rows = await db
    .selectFrom('history')
    .select(['requestId', 'input', 'rank', 'checkedAt'])
    .where('accountId', '=', accountId)
    .where('type', '=', 'keyword')
    .where('series', '=', Buffer.from(series, 'hex'))
    .where('state', '=', 'success')
    .where(isKept(days))
    .orderBy('checkedAt', 'desc')
    .orderBy('requestId', 'desc')
    .limit(limit)
    .execute();
  return { input: (rows[0]?.input as RankQuery | undefined) ?? null, points: rows.reverse() };
}

/**
 * Rank at the check nearest to the moment `days` before the last check. A check more than `days / 2` away from this
 * moment is ignored.
 */
export interface EarlierRank {
  days: number;
  /** Null if the target was not found, or if no check is near enough. */
  rank: number | null;
  /** Last page that the check could search. Null if it is unknown, or if no check is near enough. */
  endPage: number | null;
  /** False if no check is near enough. Example: `days` is 1, and the query is checked weekly. */
  wasChecked: boolean;
}

/** Best rank of a query among its last 1,100 answers, and its earlier ranks. */
interface RankChange {
  /** Null if the target was never found. */
  best: number | null;
  /** For 1, 7 and 30 days, in that order. */
  earlier: EarlierRank[];
}

const pointsMax = 1100;

/**
 * Returns the best and earlier ranks of the given series. Keys are the SHA-256 of the series in hex. Leaves out series
 * that the account does not have. Ignores checks older than `days`.
 */
export async function findChanges(
  db: Db,
  accountId: number,
  series: string[],
  days: number,
): Promise<Map<string, RankChange>> {
  if (series.length === 0) return new Map();
  const points = sql`select * from history
    where account_id = ${accountId} and type = 'keyword' and history.series = decode(hex, 'hex') and state = 'success'
      and ${isKept(days)}`;
  const newestFirst = sql`order by checked_at desc, request_id desc`;
  const { rows } = await sql<RankChange & { hex: string }>`
    select hex, best, earlier
    from unnest(${series}::text[]) as hex
    cross join lateral (${points} ${newestFirst} limit 1) as latest
    cross join lateral (
      select min(rank) as best from (${points} ${newestFirst} limit ${pointsMax}) as known) as known
    cross join lateral (
      select json_agg(json_build_object('days', days, 'rank', past.rank, 'endPage', (past.input->>'end_page')::int,
        'wasChecked', past.request_id is not null) order by days) as earlier
      from (${selectMomentsBefore(sql`latest.checked_at`)}) as wanted
      left join lateral (
        select * from (
          (${points} and checked_at between moment - half and moment ${newestFirst} limit 1)
          union all
          (${points} and checked_at > moment and checked_at <= moment + half order by checked_at, request_id limit 1)
        ) as near
        order by greatest(checked_at - moment, moment - checked_at) limit 1) as past
        on true) as before`.execute(db);
  return new Map(rows.map(({ hex, best, earlier }) => [hex, { best, earlier }]));
}

export interface CompetitorRank {
  url: string;
  /** Null if the competitor was not found. */
  rank: number | null;
  /** The rank, or the reason why it is missing. */
  rankOrReason: ReturnType<typeof getCompetitorRank>;
}

/**
 * Returns the competitors of the given rank checks. Leaves out checks without competitors and checks whose answer was
 * deleted.
 */
export async function findCompetitors(
  db: Db,
  accountId: number,
  requestIds: number[],
): Promise<Map<number, CompetitorRank[]>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('items')
    .select(['requestId', 'input', 'outcome'])
    .where('accountId', '=', accountId)
    .where('requestId', '=', sql<number>`any(${requestIds}::bigint[])`)
    .where(sql<boolean>`outcome->'competitors' is not null`)
    .execute();
  return new Map(
    rows.map(({ requestId, ...row }) => {
      const [input, outcome] = [row.input as RankQuery, row.outcome as RankAnswer];
      const ranks = (outcome.competitors ?? []).map((one) => ({
        url: one.url,
        rank: one.rank,
        rankOrReason: getCompetitorRank(one, outcome, input),
      }));
      return [requestId, ranks];
    }),
  );
}

/** The last rank is compared with the ranks of this many days earlier. */
export const comparedDays = [1, 7, 30] as const;
export type ComparedDays = (typeof comparedDays)[number];

/**
 * Selects one row for each of `comparedDays`: `days`, the `moment` that is `days` before `at`, and `half` of this
 * interval. A check that is further than `half` from the moment is ignored.
 */
export function selectMomentsBefore(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select days, ${at} - days * interval '1 day' as moment, days * interval '12 hours' as half
    from unnest(${[...comparedDays]}::int[]) as days`;
}
