import { sql } from 'kysely';
import type { RankQuery } from '../../schemas/keyword.ts';
import type { Db } from '../postgres/connect.ts';
import { containing } from '../postgres/like.ts';
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
