import { sql } from 'kysely';
import type { GroupTally, RunTally, SubjectCounts } from '../../schemas/run-tally.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import type { MonitorRef } from './monitors.ts';

/** Counts of a run. Written at the end of the run, and updated by a confirmation of the run's losses. */
export interface TallyRow {
  runId: string;
  /** Start of the run. */
  at: Date;
  tally: RunTally;
}

export interface GroupFilter {
  tag?: string;
  device?: string;
  country?: string;
  location?: string;
}

/** Page of counts. Can be limited to a period from `from` (inclusive) to `to` (exclusive). */
interface TallyPageParams extends PageParams<{ at: Date; runId: string }> {
  from?: Date;
  to?: Date;
}

/** Inserts or replaces the counts of a run. `sources`: AI Overviews by cited domain; if missing, not replaced. */
export async function save(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  {
    runId,
    at,
    tally,
    groups,
    sources,
  }: TallyRow & { groups: GroupTally[] | null; sources?: Record<string, number> },
): Promise<void> {
  const kept = {
    tally: JSON.stringify(tally),
    groups: groups && JSON.stringify(groups),
    ...(sources ? { sources: JSON.stringify(sources) } : {}),
  };
  await trx
    .insertInto('runTallies')
    .values({ accountId, monitorId, runId, at, ...kept })
    .onConflict((conflict) => conflict.columns(['accountId', 'runId']).doUpdateSet(kept))
    .execute();
}

/** Returns null if the run has no counts. */
export async function find(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  runId: string,
): Promise<(TallyRow & { groups: GroupTally[] | null }) | null> {
  const row = await trx
    .selectFrom('runTallies')
    .select(['runId', 'at', 'tally', 'groups'])
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('runId', '=', runId)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns counts, newest first. `groups` has the groups that match the filter; null without a filter. */
export async function list(
  db: Db,
  ref: MonitorRef,
  { limit, offset = 0, after, ...filter }: TallyPageParams & GroupFilter,
): Promise<Array<TallyRow & { groups: GroupTally[] | null }>> {
  const { from, to, ...group } = filter;
  const conditions = Object.entries(group).filter(([, value]) => value !== undefined);
  const groups =
    conditions.length === 0
      ? sql<null>`null::json`
      : sql<GroupTally[] | null>`(
          select json_agg(each) from jsonb_array_elements(groups) as each
          where each @> ${JSON.stringify(Object.fromEntries(conditions))}::jsonb)`;
  return selectTallies(db, ref, { from, to, after })
    .select(['runId', 'at', 'tally', groups.as('groups')])
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Queries of a monitor whose counts are added up. */
export interface TallySource {
  monitorId: string;
  /** Conditions on the groups of queries. Without conditions, all queries of the monitor. */
  group: GroupFilter & { site?: string };
}

/**
 * Returns the counts of the last run of each day (UTC) since `from`, for each source, oldest first. If `from` is null,
 * returns only the counts of the last run. Runs with queries of the source are preferred to later runs of the same day.
 * `place` is the index of the source.
 */
export async function listBySource(
  db: Db,
  accountId: number,
  sources: TallySource[],
  from: Date | null,
): Promise<Array<{ place: number; at: Date; tally: SubjectCounts | null; groups: GroupTally[] | null }>> {
  const wanted = sources.map(({ monitorId, group }, place) => ({
    place,
    monitor_id: monitorId,
    filter: group,
  }));
  // json_agg takes half the time of jsonb_agg, which builds each group again.
  const { rows } = await sql<{
    place: number;
    at: Date;
    tally: SubjectCounts | null;
    groups: GroupTally[] | null;
  }>`
    select place, at, case when filter = '{}' then tally end as tally,
      case when filter <> '{}' then (
        select json_agg(each) from jsonb_array_elements(groups) as each where each @> filter) end as groups
    from (
      select distinct on (place, date_trunc('day', at, 'UTC')) place, at, tally, groups, filter
      from json_to_recordset(${JSON.stringify(wanted)}::json) as source (place int, monitor_id uuid, filter jsonb)
      cross join lateral (
        select at, tally, groups from run_tallies
        where account_id = ${accountId} and run_tallies.monitor_id = source.monitor_id
          and (${from}::timestamptz is null or at >= ${from})
        order by at desc limit ${from === null ? 1 : runsMax}) as runs
      order by place, date_trunc('day', at, 'UTC'), (filter = '{}' or groups @> jsonb_build_array(filter)) desc nulls last,
        at desc) as days
    order by at`.execute(db);
  return rows;
}

/**
 * Returns the times without a run of each monitor since `from` that are more than twice as long as the times between
 * the runs before and after. In whole seconds, like the times of runs on pages.
 */
export async function listGaps(
  db: Db,
  accountId: number,
  monitorIds: string[],
  from: Date,
): Promise<Array<{ monitorId: string; from: Date; until: Date }>> {
  const { rows } = await sql<{ monitorId: string; from: Date; until: Date }>`
    select monitor_id, date_trunc('second', at - gap) as from, date_trunc('second', at) as until from (
      select monitor_id, at, gap, lag(gap) over runs as last_gap, lead(gap) over runs as next_gap from (
        select monitor_id, at, at - lag(at) over (partition by monitor_id order by at) as gap from run_tallies
        where account_id = ${accountId} and monitor_id = any(${monitorIds}::uuid[]) and at >= ${from}) as run
      window runs as (partition by monitor_id order by at)) as gaps
    where gap > 2 * greatest(last_gap, next_gap) order by at`.execute(db);
  return rows;
}

/** Maximum number of runs that are read per source: a year of hourly runs. */
const runsMax = 8784;

/** Returns the counts of the last run by monitor. Monitors without a run are missing. */
export async function findLatest(
  db: Db,
  accountId: number,
  monitorIds: string[],
): Promise<Map<string, TallyRow>> {
  const { rows } = await sql<TallyRow & { monitorId: string }>`
    select latest.* from unnest(${monitorIds}::uuid[]) as wanted (id)
    cross join lateral (
      select monitor_id, run_id, at, tally from run_tallies
      where account_id = ${accountId} and monitor_id = wanted.id
      order by at desc, run_id desc limit 1) as latest`.execute(db);
  return new Map(rows.map(({ monitorId, ...row }) => [monitorId, row]));
}

export function count(
  db: Db,
  ref: MonitorRef,
  { from, to, max }: { from?: Date; to?: Date; max: number },
): Promise<number> {
  return countUpTo(db, selectTallies(db, ref, { from, to }), max);
}

/** A domain with the share of the AI Overviews that cite it. */
interface CitedDomain {
  domain: string;
  share: number;
}

/** Returns the domains that the AI Overviews of a period cite most, at most `limit`. */
export async function listCitedDomains(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<CitedDomain[]> {
  const isInPeriod = sql`account_id = ${accountId} and monitor_id = ${monitorId}::uuid and at >= ${from} and at < ${to}`;
  const { rows } = await sql<CitedDomain>`
    with read as (
      select sum((tally->'overviews'->>'read')::int) as overviews from run_tallies where ${isInPeriod}),
    cited as (
      select domain, sum(overviews::int) as overviews
      from run_tallies cross join lateral json_each_text(sources) as source (domain, overviews)
      where ${isInPeriod} and sources is not null
      group by domain order by 2 desc, 1 limit ${limit})
    select domain, least(1, round(cited.overviews::numeric / nullif(read.overviews, 0), 4))::float8 as share
    from cited cross join read where read.overviews > 0
    order by cited.overviews desc, domain`.execute(db);
  return rows;
}

function selectTallies(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  { from, to, after }: Omit<TallyPageParams, 'limit' | 'offset'>,
) {
  const tallies = db
    .selectFrom('runTallies')
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .$if(from !== undefined, (query) => query.where('at', '>=', from as Date))
    .$if(to !== undefined, (query) => query.where('at', '<', to as Date));
  return newestFirst(tallies, ['at', 'runId'], after && [after.at, after.runId]);
}
