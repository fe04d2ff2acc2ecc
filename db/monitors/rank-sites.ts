import { sql } from 'kysely';
import type { RankQuery } from '../../schemas/keyword.ts';
import type { Schedule } from '../../schemas/monitor-types.ts';
import type { Db } from '../postgres/connect.ts';
import { latestUrl } from './baselines.ts';
import { type PointRow, pointFlags } from './points.ts';

/** A target of the current and removed queries of a keyword monitor. */
interface TrackedTarget {
  monitorId: string;
  monitorName: string;
  isActive: boolean;
  schedule: Schedule;
  /** Site or page, as sent. */
  target: string;
  /** Number of current queries. */
  keywords: number;
}

/** Returns the targets of an account's keyword monitors, or of one monitor. */
export async function listTargets(db: Db, accountId: number, monitorId?: string): Promise<TrackedTarget[]> {
  const isOfMonitor = monitorId ? sql`and monitor_id = ${monitorId}` : sql``;
  const { rows } = await sql<TrackedTarget>`
    select monitor_id, name as monitor_name, status = 'active' as is_active, schedule, input->>'target_url' as target,
      count(*) filter (where left_at is null)::int as keywords
    from monitors join subjects using (account_id, monitor_id)
    where monitors.account_id = ${accountId} and subjects.account_id = ${accountId} and type = 'keyword'
      and deleted_at is null ${isOfMonitor}
    group by 1, 2, 3, 4, 5`.execute(db);
  return rows;
}

/** A query with its last answer, and with its answer at the start of a period. */
export interface TrackedKeyword {
  subjectId: number;
  monitorId: string;
  input: RankQuery;
  /** Best rank so far; null before the first rank. */
  best: number | null;
  /** Page that ranked in the last answer; null for none. */
  rankedUrl: string | null;
  /** When the query was last answered; null before the first answer. */
  answeredAt: Date | null;
  /** Null if the target is not ranked. */
  rank: number | null;
  /** True if the last answer is a loss that no second check has confirmed. */
  isUnconfirmed: boolean;
  /** Flags of the last answer, as in `PointRow`. */
  flags: number;
  /** Ranks of the competitors in the last answer. */
  rivals: PointRow['rivals'];
  /**
   * The answer at the start of the period, or else the first answer in the period. Unconfirmed losses are ignored. `at`
   * is null without such an answer. `rivals` are the ranks of the competitors.
   */
  before: { at: Date | null; rank: number | null; flags: number; rivals: PointRow['rivals'] };
}

/** Returns the current queries of monitors for the given targets, in the order of their lists. */
export async function listKeywords(
  db: Db,
  accountId: number,
  {
    monitorIds,
    targets,
    from,
    limit,
  }: { monitorIds: string[]; targets: string[]; from: Date; limit: number },
): Promise<TrackedKeyword[]> {
  const isOf = sql`points.account_id = ${accountId} and points.subject_id = current.subject_id`;
  const isConfirmed = sql`flags & ${pointFlags.unconfirmed} = 0`;
  const { rows } = await sql<
    Omit<TrackedKeyword, 'before'> & {
      beforeAt: Date | null;
      beforeRank: number | null;
      beforeFlags: number | null;
      beforeRivals: PointRow['rivals'];
    }
  >`
    with current as materialized (
      select account_id, subject_id, monitor_id, input from subjects
      where account_id = ${accountId} and monitor_id = any(${monitorIds}::uuid[]) and left_at is null
        and input->>'target_url' = any(${targets}::text[])
      order by monitor_id, position limit ${limit})
    select current.subject_id, current.monitor_id, input, best, ${latestUrl} as ranked_url,
      latest.last_at as answered_at, latest.value as rank, latest.rivals,
      coalesce(latest.flags, 0) as flags, coalesce(latest.flags & ${pointFlags.unconfirmed} <> 0, false) as is_unconfirmed,
      case when earlier.first_at is not null then greatest(earlier.first_at, ${from}) end as before_at, earlier.value as before_rank,
      earlier.flags as before_flags, earlier.rivals as before_rivals
    from current
    left join baselines on baselines.account_id = current.account_id and baselines.account_id = ${accountId}
      and baselines.monitor_id = current.monitor_id
      and baselines.subject_id = current.subject_id
    left join lateral (
      select last_at, value, flags, rival_ranks as rivals from points where ${isOf} order by first_at desc limit 1) as latest on true
    left join lateral (
      select first_at, value, flags, rivals from (
        (select first_at, value, flags, rival_ranks as rivals from points where ${isOf} and first_at <= ${from} and ${isConfirmed}
          order by first_at desc limit 1)
        union all
        (select first_at, value, flags, rival_ranks as rivals from points where ${isOf} and first_at > ${from} and ${isConfirmed}
          order by first_at limit 1)) as near
      order by first_at limit 1) as earlier on true`.execute(db);
  return rows.map(({ beforeAt, beforeRank, beforeFlags, beforeRivals, ...row }) => ({
    ...row,
    before: { at: beforeAt, rank: beforeRank, flags: beforeFlags ?? 0, rivals: beforeRivals },
  }));
}
