import { sql } from 'kysely';
import type { RankQuery } from '../schemas/keyword.ts';
import type { Db } from './connect.ts';
import { containing } from './like.ts';

/** A query that was checked more than once: what was asked, and where it stood last. */
export interface RankSeries {
  /** SHA-256 in hex: which checks are points of one line. */
  series: string;
  input: RankQuery;
  rank: number | null;
  checkedAt: Date;
}

/** One check of a series; null: not among the results. */
export interface RankPoint {
  checkedAt: Date;
  rank: number | null;
}

// Older checks are found through newer ones of the same series; what was not checked lately is no news.
const recentMax = 1000;

/** The queries checked more than once, the latest first, found among an account's last 1,000 rank checks. */
export async function list(
  db: Db,
  accountId: number,
  { search = '', limit }: { search?: string; limit: number },
): Promise<RankSeries[]> {
  const { rows } = await sql<RankSeries>`
    with recent as (
      select series, input, rank, checked_at, request_id from history
      where account_id = ${accountId} and type = 'keyword' and state = 'success'
      order by checked_at desc, request_id desc limit ${recentMax}),
    latest as (
      select distinct on (series) * from recent order by series, checked_at desc, request_id desc),
    -- In order first, so that looking for a second check stops with the last row that is shown.
    ordered as (select * from latest order by checked_at desc, request_id desc)
    select encode(series, 'hex') as series, input, rank, checked_at from ordered
    where concat_ws(' ', input->>'keyword', input->>'target_url') ilike ${containing(search)}
      and (select count(*) from (
        select 1 from history
        where account_id = ${accountId} and history.series = ordered.series and history.state = 'success'
        limit 2) as points) = 2
    order by checked_at desc, request_id desc
    limit ${limit}`.execute(db);
  return rows;
}

/** The last points of a series, oldest first; none when the account has no such series. */
export async function points(
  db: Db,
  accountId: number,
  series: string,
  limit: number,
): Promise<{ input: RankQuery | null; points: RankPoint[] }> {
  const rows = await db
    .selectFrom('history')
    .select(['input', 'rank', 'checkedAt'])
    .where('accountId', '=', accountId)
    .where('type', '=', 'keyword')
    .where('series', '=', Buffer.from(series, 'hex'))
    .where('state', '=', 'success')
    .orderBy('checkedAt', 'desc')
    .orderBy('requestId', 'desc')
    .limit(limit)
    .execute();
  return { input: (rows[0]?.input as RankQuery | undefined) ?? null, points: rows.reverse() };
}
