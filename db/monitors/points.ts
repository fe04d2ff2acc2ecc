import { sql } from 'kysely';
import { type DaysBack, momentsBefore } from '../batches/rank-series.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import type { MonitorRef } from './monitors.ts';

/** A stretch of equal answers about a subject; a repeated answer moves its end, and nothing else of it changes. */
export interface PointRow {
  subjectId: number;
  /** When the run began that found it first. */
  firstAt: Date;
  /** When the run began that found it last. Moved by each that finds it again. */
  lastAt: Date;
  /** The status; 1 or 0 for indexed or not; the rank, null when it was not found. */
  value: number | null;
  /** A sum of `pointFlags`. `unconfirmed` is taken away when a loss stood. */
  flags: number;
  /** Ranks of its competitors in the order of the query, null for those not seen; null without any. */
  rivals: Array<number | null> | null;
}

/** What an answer is besides its value. `unconfirmed`: a loss that was seen once and not yet, or never, again. */
export const pointFlags = { soft404: 1, unjudged: 2, walled: 4, unconfirmed: 8 } as const;

/** The last stretch of each subject. */
export async function lastOf(
  db: Db | Trx,
  accountId: number,
  subjectIds: number[],
): Promise<Map<number, PointRow>> {
  const { rows } = await sql<PointRow>`
    select last.* from unnest(${subjectIds}::bigint[]) as wanted (id)
    cross join lateral (
      select subject_id, first_at, last_at, value, flags, rivals from points
      where account_id = ${accountId} and subject_id = wanted.id
      order by first_at desc limit 1) as last`.execute(db);
  return new Map(rows.map((row) => [row.subjectId, row]));
}

/** Moves the ends of stretches and begins others. One that is there already stays as it is. */
export async function keep(
  trx: Trx,
  accountId: number,
  { moved, begun }: { moved: PointRow[]; begun: PointRow[] },
): Promise<void> {
  if (moved.length > 0)
    await sql`
      update points set last_at = moved.last_at, flags = moved.flags
      from json_to_recordset(${recordsOf(moved)}::json)
        as moved (subject_id bigint, first_at timestamptz, last_at timestamptz, flags smallint)
      where points.account_id = ${accountId} and points.subject_id = moved.subject_id
        and points.first_at = moved.first_at`.execute(trx);
  if (begun.length > 0)
    // Beside the account's row, so that a cluster hands the whole statement to the node which has that.
    await sql`
      insert into points (account_id, subject_id, first_at, last_at, value, flags, rivals)
      select accounts.account_id, subject_id, first_at, last_at, value, flags, rivals
      from accounts cross join json_to_recordset(${recordsOf(begun)}::json) as begun (subject_id bigint,
        first_at timestamptz, last_at timestamptz, value smallint, flags smallint, rivals smallint[])
      where accounts.account_id = ${accountId}
      on conflict do nothing`.execute(trx);
}

function recordsOf(points: PointRow[]): string {
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
 * The stretches of subjects that reach into a time, by subject and oldest first. Moments that are equal are one Date,
 * as those of one run are.
 */
export async function during(
  db: Db,
  accountId: number,
  subjectIds: number[],
  { from, to }: { from: Date; to: Date },
): Promise<PointRow[]> {
  // Stretches of a subject follow each other, so that only the last which began before may reach in: the index is
  // read from there on. A row for each subject and not for each stretch, of which a page has thousands.
  const { rows } = await sql<Stretches>`
    select held.* from unnest(${subjectIds}::bigint[]) as wanted (id)
    cross join lateral (
      select min(subject_id) as subject_id, array_to_json(array_agg(${epochMs('first_at')})) as first_at,
        array_to_json(array_agg(${epochMs('last_at')})) as last_at, array_to_json(array_agg(value)) as value,
        array_to_json(array_agg(flags)) as flags, case when count(rivals) > 0 then json_agg(rivals) end as rivals
      from (
        select * from points
        where account_id = ${accountId} and subject_id = wanted.id and last_at >= ${from} and first_at < ${to}
          and first_at >= coalesce((
            select max(first_at) from points
            where account_id = ${accountId} and subject_id = wanted.id and first_at <= ${from}), ${from})
        order by first_at) as stretches) as held
    where subject_id is not null`.execute(db);
  const dates = new Map<number, Date>();
  return rows.flatMap(({ subjectId, firstAt, lastAt, value, flags, rivals }) =>
    firstAt.map((at, place) => ({
      subjectId,
      firstAt: dateOf(at, dates),
      lastAt: dateOf(lastAt[place] as number, dates),
      value: value[place] ?? null,
      flags: flags[place] as number,
      rivals: rivals?.[place] ?? null,
    })),
  );
}

/** Of one subject, in columns. */
interface Stretches {
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

function dateOf(ms: number, dates: Map<number, Date>): Date {
  const date = dates.get(ms) ?? new Date(ms);
  dates.set(ms, date);
  return date;
}

/** A subject some days before a time; missing when nothing was known then. */
export interface EarlierPoint {
  subjectId: number;
  /** How long before. */
  days: DaysBack;
  /** As a point has it: the status; 1 or 0 for indexed or not; the rank, null when it was not found. */
  value: number | null;
  /** Ranks of its competitors at that time in the order of the query, null for those not seen; null without any. */
  rivals: Array<number | null> | null;
}

/**
 * What was found of subjects 1, 7 and 30 days before a moment, by the check nearest to that, which is off by half of
 * that time at most; without `at` before the last answer of each. Losses that were never confirmed are left out. A
 * failure between two equal answers is no gap.
 */
export async function findEarlier(
  db: Db | Trx,
  { accountId, monitorId }: MonitorRef,
  subjectIds: number[],
  at: Date | null = null,
): Promise<EarlierPoint[]> {
  const isOf = sql`account_id = ${accountId} and subject_id = wanted.id`;
  const isSound = sql`flags & ${pointFlags.unconfirmed} = 0`;
  // A stretch in which the moment lies says nothing of it either while the monitor was not at work near by. Its ends
  // are checks; of those between them the runs tell, which are few moments for many subjects.
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
      cross join lateral (${momentsBefore(sql`at`)}) as back)
    select wanted.id as subject_id, days, earlier.value, earlier.rivals
    from asked as wanted join moments using (at)
    cross join lateral (
      select value, rivals, off from (
        (select value, rivals, first_at, last_at, greatest(moment - last_at, interval '0') as off from points
          where ${isOf} and first_at <= moment and ${isSound} order by first_at desc limit 1)
        union all
        (select value, rivals, first_at, last_at, first_at - moment from points
          where ${isOf} and first_at > moment and first_at <= moment + half and ${isSound}
          order by first_at limit 1)) as near
      where off <= half and (was_at_work or first_at >= moment - half or last_at <= moment + half)
      order by off limit 1) as earlier`.execute(db);
  return rows;
}
