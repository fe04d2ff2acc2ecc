import { type RawBuilder, sql } from 'kysely';
import { competitorStanding } from '../../schemas/competitor-standing.ts';
import type { RankAnswer, RankQuery } from '../../schemas/keyword.ts';
import type { Db } from '../postgres/connect.ts';
import { containing } from '../postgres/text.ts';
import { isKept } from '../retention/kept.ts';

/** A query that was checked more than once: what was asked, and where it stood last. */
export interface RankSeries {
  /** SHA-256 in hex: which checks are points of one line. */
  series: string;
  input: RankQuery;
  /** At its last check; null when it was not among the results. */
  rank: number | null;
  /** When that was. */
  checkedAt: Date;
}

/** One check of a series; null: not among the results. */
export interface RankPoint {
  requestId: number;
  checkedAt: Date;
  rank: number | null;
}

/** Some of them, those that were checked last first. */
export interface RankSeriesPage {
  rows: RankSeries[];
  /** How many there are on all pages. */
  total: number;
}

/** Which of them are meant: those of which all that is said is true. */
export interface RankSeriesQuery {
  /** Checks that are older do not count, though they may still be waiting to go. */
  days: number;
  /** Found anywhere in the keyword or its target, in any case. */
  search?: string;
  /** Only this keyword for this target, wherever it was asked. */
  of?: Pick<RankQuery, 'keyword' | 'target_url'>;
  limit: number;
  offset?: number;
}

/**
 * The queries of an account that were checked more than once, the latest first. One look into an index of each
 * partition finds each of them, however often it was checked.
 */
export async function list(
  db: Db,
  accountId: number,
  { days, search = '', of, limit, offset = 0 }: RankSeriesQuery,
): Promise<RankSeriesPage> {
  const isAsked = of
    ? sql`input->>'keyword' = ${of.keyword} and input->>'target_url' = ${of.target_url}`
    : sql`concat_ws(' ', input->>'keyword', input->>'target_url') ilike ${containing(search)}`;
  // Leaves out partitions that hold nothing yet, or nothing that is shown any more.
  const isInUse = sql`${isKept(days)} and checked_at <= now()`;
  const { rows } = await sql<RankSeries & { total: number }>`
    with recursive every as (
      (select series from history where account_id = ${accountId} and type = 'keyword' and ${isInUse}
        order by series limit 1)
      union all
      select (
        select series from history
        where account_id = ${accountId} and type = 'keyword' and history.series > every.series and ${isInUse}
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

/** The last points of a series in so many days, oldest first; none when the account has no such series. */
export async function points(
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

/** Where a query stood about so many days before its last check: at the nearest check, half that time off at most. */
export interface EarlierRank {
  days: number;
  /** Null where it was not found, and where it was not checked. */
  rank: number | null;
  /** False where no check came near enough: one that is checked each week has no rank of the day before. */
  wasChecked: boolean;
}

/** What became of a query's rank, among its last 1,100 answers that are kept. */
export interface RankChange {
  /** The best of them; null when it was never found. */
  best: number | null;
  /** One for each of `daysBack` (db/batches/rank-series.ts), in that order. */
  earlier: EarlierRank[];
}

const pointsMax = 1100;

/**
 * The same for each of some series by its SHA-256 in hex; a series that the account does not have is left out. What is
 * older than so many days does not count.
 */
export async function changesOf(
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
      select json_agg(json_build_object('days', days, 'rank', past.rank, 'wasChecked', past.request_id is not null)
        order by days) as earlier
      from (${momentsBefore(sql`latest.checked_at`)}) as wanted
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

/** Who else was looked for on the same pages; null: not seen there. */
export interface CompetitorRank {
  url: string;
  rank: number | null;
  /** Its rank, or why it has none. */
  standing: ReturnType<typeof competitorStanding>;
}

/** The competitors of some rank checks, as long as their answers are kept; a check without any is left out. */
export async function competitorsOf(
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
      const standings = (outcome.competitors ?? []).map((one) => ({
        url: one.url,
        rank: one.rank,
        standing: competitorStanding(one, outcome, input),
      }));
      return [requestId, standings];
    }),
  );
}

/** How many days back a rank is compared with what it is now. */
export const daysBack = [1, 7, 30] as const;
export type DaysBack = (typeof daysBack)[number];

/**
 * Rows of `days`, the `moment` so long before `at`, and `half` of that time: a check that is further from the moment
 * than that says nothing of it. One that is made each week has no rank of the day before.
 */
export function momentsBefore(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select days, ${at} - days * interval '1 day' as moment, days * interval '12 hours' as half
    from unnest(${[...daysBack]}::int[]) as days`;
}
