import { sql } from 'kysely';
import { type DaysBack, momentsBefore } from '../batches/days-back.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import type { MonitorRef } from './monitors.ts';
import { pointFlags } from './points.ts';

/** What stood so many days before a moment; a subject of which nothing was known then has none. */
export interface EarlierPoint {
  subjectId: number;
  /** How long before. */
  days: DaysBack;
  /** As a point has it: the status; 1 or 0 for indexed or not; the rank, null when it was not found. */
  value: number | null;
  /**
   * Ranks of its competitors of then in the order of the query, null for those not seen; null without any.
   */
  rivals: Array<number | null> | null;
}

/**
 * What was found of subjects 1, 7 and 30 days before a moment, by the check nearest to that, which is off by half of
 * that time at most; without `at` before the last answer of each. Losses that were never confirmed are left out. A
 * failure between two equal answers is no gap.
 */
export async function before(
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
