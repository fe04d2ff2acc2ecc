import { sql } from 'kysely';
import { competitorStanding } from '../../schemas/competitor-standing.ts';
import type { RankAnswer, RankQuery } from '../../schemas/keyword.ts';
import type { Db } from '../postgres/connect.ts';
import { isKept } from '../retention/kept.ts';
import { momentsBefore } from './days-back.ts';

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
  /** One for each of `daysBack` (db/batches/days-back.ts), in that order. */
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
