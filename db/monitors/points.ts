import { sql } from 'kysely';
import { type ComparedDays, selectMomentsBefore } from '../batches/rank-series.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import type { MonitorRef } from './monitors.ts';

/**
 * A period of equal answers about a subject, found at the same depth. A repeated answer moves the end of the period.
 */
export interface PointRow {
  subjectId: number;
  /** Start of the first run with this answer. */
  firstAt: Date;
  /** Start of the last run with this answer. */
  lastAt: Date;
  /** HTTP status, rank, or 1 for indexed and 0 for not indexed. Null if the target has no rank. */
  value: number | null;
  /**
   * Sum of `pointFlags`. For a query, plus `end_page` times `endPageUnit`. `unconfirmed` is removed when a loss is
   * confirmed.
   */
  flags: number;
  /**
   * Ranks of the competitors by their URL as sent; null without competitors. The rank is null for a competitor that is
   * not ranked. A competitor that was not searched is missing.
   */
  rivals: Record<string, number | null> | null;
}

/**
 * Properties of an answer. `unconfirmed` marks a loss that no second check has confirmed. The last four flags say what
 * is known about the AI Overview of a query: whether Google shows the overview, and whether the overview cites the
 * target.
 */
export const pointFlags = {
  ...{ soft404: 1, unjudged: 2, walled: 4, unconfirmed: 8 },
  ...{ overviewShown: 16, overviewNotShown: 32, cited: 64, uncited: 128 },
} as const;

/** The bits of `flags` from this value on are the `end_page` of a query; 0 if it is unknown. */
export const endPageUnit = 256;

/** Returns the `end_page` of a point; null if it is unknown. */
export function toEndPage(flags: number): number | null {
  return Math.floor(flags / endPageUnit) || null;
}

export async function findLast(
  db: Db,
  accountId: number,
  subjectIds: number[],
): Promise<Map<number, PointRow>> {
  const { rows } = await sql<PointRow>`
    select last.* from unnest(${subjectIds}::bigint[]) as wanted (id)
    cross join lateral (
      select subject_id, first_at, last_at, value, flags, rival_ranks as rivals from points
      where account_id = ${accountId} and subject_id = wanted.id
      order by first_at desc limit 1) as last`.execute(db);
  return new Map(rows.map((row) => [row.subjectId, row]));
}

/** Moves the ends of points and inserts new points. Existing points are not overwritten. */
export async function save(
  trx: Trx,
  accountId: number,
  { moved, begun }: { moved: PointRow[]; begun: PointRow[] },
): Promise<void> {
  if (moved.length > 0)
    await sql`
      update points set last_at = moved.last_at, flags = moved.flags
      from json_to_recordset(${toRecords(moved)}::json)
        as moved (subject_id bigint, first_at timestamptz, last_at timestamptz, flags smallint)
      where points.account_id = ${accountId} and points.subject_id = moved.subject_id
        and points.first_at = moved.first_at`.execute(trx);
  if (begun.length > 0)
    // The statement selects from `accounts`, so that a cluster runs the whole statement on the account's node.
    await sql`
      insert into points (account_id, subject_id, first_at, last_at, value, flags, rival_ranks)
      select accounts.account_id, subject_id, first_at, last_at, value, flags, rivals
      from accounts cross join json_to_recordset(${toRecords(begun)}::json) as begun (subject_id bigint,
        first_at timestamptz, last_at timestamptz, value smallint, flags smallint, rivals json)
      where accounts.account_id = ${accountId}
      on conflict do nothing`.execute(trx);
}

function toRecords(points: PointRow[]): string {
  return JSON.stringify(
    points.map(({ subjectId, firstAt, lastAt, ...others }) => ({
      subject_id: subjectId,
      first_at: firstAt,
      last_at: lastAt,
      ...others,
    })),
  );
}

/**
 * Returns the points of subjects that overlap a period, by subject, oldest first. Equal times share one Date object,
 * because many points have the same times. Without `hasRivals`, `rivals` is null, which saves time.
 */
export async function listDuring(
  db: Db,
  accountId: number,
  subjectIds: number[],
  { from, to, hasRivals = true }: { from: Date; to: Date; hasRivals?: boolean },
): Promise<PointRow[]> {
  // Points of a subject do not overlap. So of the points that began before the period, only the last point can overlap
  // the period. The query returns one row per subject, because a page has thousands of points.
  const { rows } = await sql<PointColumns>`
    select page.* from unnest(${subjectIds}::bigint[]) as wanted (id)
    cross join lateral (
      select min(subject_id) as subject_id, array_to_json(array_agg(${epochMs('first_at')})) as first_at,
        array_to_json(array_agg(${epochMs('last_at')})) as last_at, array_to_json(array_agg(value)) as value,
        array_to_json(array_agg(flags)) as flags, case when ${hasRivals}::boolean and count(rival_ranks) > 0
          then json_agg(rival_ranks) end as rivals
      from (
        select * from points
        where account_id = ${accountId} and subject_id = wanted.id and last_at >= ${from} and first_at < ${to}
          and first_at >= coalesce((
            select max(first_at) from points
            where account_id = ${accountId} and subject_id = wanted.id and first_at <= ${from}), ${from})
        order by first_at) as overlapping) as page
    where subject_id is not null`.execute(db);
  const dates = new Map<number, Date>();
  return rows.flatMap(({ subjectId, firstAt, lastAt, value, flags, rivals }) =>
    firstAt.map((at, place) => ({
      subjectId,
      firstAt: toSharedDate(at, dates),
      lastAt: toSharedDate(lastAt[place] as number, dates),
      value: value[place] ?? null,
      flags: flags[place] as number,
      rivals: rivals?.[place] ?? null,
    })),
  );
}

/** Returns the competitors in the points of subjects that overlap a period, the most recent first. */
export async function listCompetitorUrls(
  db: Db,
  accountId: number,
  subjectIds: number[],
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select url from points cross join lateral json_object_keys(rival_ranks) as rival (url)
    where account_id = ${accountId} and subject_id = any(${subjectIds}::bigint[])
      and last_at >= ${from} and first_at < ${to}
    group by url order by max(first_at) desc, url limit ${limit}`.execute(db);
  return rows.map(({ url }) => url);
}

/** A day (UTC) on which queries were first searched to another depth than before. */
interface DepthChange {
  /** Start of the first of these searches. */
  at: Date;
  endPage: number;
  isDeeper: boolean;
  queries: number;
}

/** Returns when the depth of queries changed since `from`, oldest first. Ignores unknown depths. */
export async function listDepthChanges(
  db: Db,
  accountId: number,
  subjectIds: number[],
  from: Date,
): Promise<DepthChange[]> {
  const isOf = sql`account_id = ${accountId} and subject_id = wanted.id`;
  const { rows } = await sql<DepthChange>`
    select min(first_at) as at, end_page, end_page > end_page_before as is_deeper,
      count(*)::int as queries
    from unnest(${subjectIds}::bigint[]) as wanted (id)
    cross join lateral (
      select first_at, flags / ${endPageUnit} as end_page,
        lag(flags / ${endPageUnit}) over (order by first_at) as end_page_before
      from points
      where ${isOf}
        and first_at >= coalesce((select max(first_at) from points where ${isOf} and first_at < ${from}), ${from})
    ) as search
    where first_at >= ${from} and end_page <> end_page_before and end_page > 0 and end_page_before > 0
    group by date_trunc('day', first_at, 'UTC'), end_page, end_page > end_page_before
    order by at, end_page`.execute(db);
  return rows;
}

/** Points of a subject, by column. */
interface PointColumns {
  subjectId: number;
  firstAt: number[];
  lastAt: number[];
  value: PointRow['value'][];
  flags: number[];
  rivals: PointRow['rivals'][] | null;
}

function epochMs(column: string) {
  return sql`floor(date_part('epoch', ${sql.ref(column)}) * 1000)::bigint`;
}

function toSharedDate(ms: number, dates: Map<number, Date>): Date {
  const date = dates.get(ms) ?? new Date(ms);
  dates.set(ms, date);
  return date;
}

/** State of a subject `days` before a time. */
export interface EarlierPoint {
  subjectId: number;
  days: ComparedDays;
  /** HTTP status, rank, or 1 for indexed and 0 for not indexed. Null if the target has no rank. */
  value: number | null;
  /** As in `PointRow`. */
  flags: number;
  /** Ranks of the competitors at that time, as in `PointRow`. */
  rivals: PointRow['rivals'];
}

/**
 * Finds the state of subjects 1, 7 and 30 days before `at`. Without `at`, days count back from the last answer of each
 * subject. Uses the nearest check, which can be at most half as many days away. Ignores unconfirmed losses. Leaves out
 * subjects without such a check.
 */
export async function findEarlier(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  subjectIds: number[],
  at: Date | null = null,
): Promise<EarlierPoint[]> {
  const isOf = sql`account_id = ${accountId} and subject_id = wanted.id`;
  const isConfirmed = sql`flags & ${pointFlags.unconfirmed} = 0`;
  // A point covers the time from its first to its last check. It is used only if a check was near the moment.
  // `run_tallies` shows the checks between the first and the last check.
  const { rows } = await sql<EarlierPoint>`
    with asked as materialized (
      select wanted.id, coalesce(${at}::timestamptz, (
        select last_at from points where ${isOf} order by first_at desc limit 1)) as at
      from unnest(${subjectIds}::bigint[]) as wanted (id)),
    moments as materialized (
      select at, days, moment, half, exists (
        select from run_tallies
        where account_id = ${accountId} and monitor_id = ${monitorId}::uuid
          and run_tallies.at between moment - half and moment + half) as was_at_work
      from (select distinct at from asked where at is not null) as distinct_moments
      cross join lateral (${selectMomentsBefore(sql`at`)}) as back)
    select wanted.id as subject_id, days, earlier.value, earlier.flags, earlier.rivals
    from asked as wanted join moments using (at)
    cross join lateral (
      select value, flags, rivals, off from (
        (select value, flags, rival_ranks as rivals, first_at, last_at, greatest(moment - last_at, interval '0') as off
          from points where ${isOf} and first_at <= moment and ${isConfirmed} order by first_at desc limit 1)
        union all
        (select value, flags, rival_ranks as rivals, first_at, last_at, first_at - moment from points
          where ${isOf} and first_at > moment and first_at <= moment + half and ${isConfirmed}
          order by first_at limit 1)) as near
      where off <= half and (was_at_work or first_at >= moment - half or last_at <= moment + half)
      order by off limit 1) as earlier`.execute(db);
  return rows;
}
