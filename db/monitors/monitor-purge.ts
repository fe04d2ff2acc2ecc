import { sql } from 'kysely';
import type { Trx } from '../postgres/connect.ts';
import type { PurgeStep } from '../retention/expired.ts';
import type { MonitorRef } from './monitors.ts';

/** All points are kept for this time. Afterwards, only the last point of each day is kept. */
const allPointsDays = 90;
const subjectsPerStep = 200;

/** Registers a monitor for the daily purge of its history. */
export async function registerForPurge(trx: Trx, { accountId, monitorId }: MonitorRef): Promise<void> {
  await trx
    .insertInto('historyPasses')
    .values({ accountId, monitorId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface Pass extends MonitorRef {
  afterSubjectId: number;
}

/**
 * Purges history of one monitor. Takes the monitor that was purged longest ago, if this was more than a day ago.
 * Deletes history older than `historyDays`, and all history of a deleted monitor. Of points older than 90 days, keeps
 * the last point of each day. A step reads 200 subjects, or `stepMax` changes and runs.
 */
export async function purgeHistory(trx: Trx, historyDays: number, stepMax: number): Promise<PurgeStep> {
  const candidate = await trx
    .selectFrom('historyPasses')
    .select(['accountId', 'monitorId'])
    .where('passedAt', '<', sql<Date>`now() - interval '1 day'`)
    .orderBy('passedAt')
    .limit(1)
    .executeTakeFirst();
  const pass = candidate && (await lockPass(trx, candidate));
  if (!pass) return { examined: 0, removed: 0 };
  const monitor = await trx
    .selectFrom('monitors')
    .select('deletedAt')
    .where('accountId', '=', pass.accountId)
    .where('monitorId', '=', pass.monitorId)
    .executeTakeFirst();
  const days = monitor && monitor.deletedAt === null ? historyDays : 0;
  const ids = await subjectsAfter(trx, pass);
  const last = ids.at(-1);
  if (last === undefined) return endPass(trx, pass, days, stepMax);
  const removed = await thin(trx, pass, ids, days);
  await movePass(trx, pass, last);
  return { examined: ids.length, removed };
}

async function lockPass(trx: Trx, { accountId, monitorId }: MonitorRef): Promise<Pass | undefined> {
  return trx
    .selectFrom('historyPasses')
    .select(['accountId', 'monitorId', 'afterSubjectId'])
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

async function subjectsAfter(trx: Trx, { accountId, monitorId, afterSubjectId }: Pass): Promise<number[]> {
  const rows = await trx
    .selectFrom('baselines')
    .select('subjectId')
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('subjectId', '>', afterSubjectId)
    .orderBy('subjectId')
    .limit(subjectsPerStep)
    .execute();
  return rows.map(({ subjectId }) => subjectId);
}

async function thin(trx: Trx, { accountId, monitorId }: Pass, ids: number[], days: number): Promise<number> {
  const { numAffectedRows: thinned } = await sql`
    delete from points
    where account_id = ${accountId} and subject_id = any(${ids}::bigint[]) and (
      last_at < now() - ${days} * interval '1 day'
      or (last_at < now() - ${allPointsDays} * interval '1 day'
        and (first_at at time zone 'UTC')::date = (last_at at time zone 'UTC')::date
        and exists (
          select from points as later
          where later.account_id = ${accountId} and later.subject_id = points.subject_id
            and later.first_at > points.first_at
            and (later.first_at at time zone 'UTC')::date = (points.last_at at time zone 'UTC')::date)))`.execute(
    trx,
  );
  if (days === 0)
    await sql`
      delete from baselines where account_id = ${accountId} and monitor_id = ${monitorId}
        and subject_id = any(${ids}::bigint[])`.execute(trx);
  return Number(thinned ?? 0);
}

async function movePass(trx: Trx, { accountId, monitorId }: Pass, afterSubjectId: number): Promise<void> {
  await trx
    .updateTable('historyPasses')
    .set({ afterSubjectId })
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .execute();
}

/**
 * Deletes old changes and runs. If nothing was deleted, ends the pass: the current purge of the monitor's history. The
 * next pass starts a day later. A deleted monitor has no further passes.
 */
async function endPass(
  trx: Trx,
  { accountId, monitorId }: Pass,
  days: number,
  stepMax: number,
): Promise<PurgeStep> {
  const old = sql`account_id = ${accountId} and monitor_id = ${monitorId} and at < now() - ${days} * interval '1 day'`;
  const { numAffectedRows: changes } = await sql`
    delete from changes where ${old} and change_id in (
      select change_id from changes where ${old} order by change_id limit ${stepMax})`.execute(trx);
  const { numAffectedRows: runs } = await sql`
    delete from run_tallies where ${old} and run_id in (
      select run_id from run_tallies where ${old} order by at limit ${stepMax})`.execute(trx);
  // `purgeDeleted` removes the runs of deleted monitors.
  const ended = days === 0 ? 0 : await removeRuns(trx, { accountId, monitorId }, days, stepMax);
  const removed = Number(changes ?? 0) + Number(runs ?? 0) + ended;
  if (removed === 0 && days === 0)
    await trx
      .deleteFrom('historyPasses')
      .where('accountId', '=', accountId)
      .where('monitorId', '=', monitorId)
      .execute();
  else if (removed === 0)
    await trx
      .updateTable('historyPasses')
      .set({ passedAt: sql`now()`, afterSubjectId: 0 })
      .where('accountId', '=', accountId)
      .where('monitorId', '=', monitorId)
      .execute();
  return { examined: removed + 1, removed };
}

/** Deletes old runs. Keeps runs in progress and runs with losses to confirm. */
async function removeRuns(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  days: number,
  stepMax: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from monitor_runs where account_id = ${accountId} and run_id in (
      select run_id from monitor_runs
      where account_id = ${accountId} and monitor_id = ${monitorId}
        and created_at < now() - ${days} * interval '1 day' and finished_at is not null and confirm_at is null
      order by created_at limit ${stepMax})`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Tables of a monitor and their key columns. Referencing tables come first. */
const monitorTables = {
  annotations: 'annotation_id',
  subjects: 'subject_id',
  monitor_runs: 'run_id',
} as const;

/** All tables with data of monitors, including history, and their key columns. Referencing tables come first. */
const accountTables = {
  history_passes: 'monitor_id',
  changes: 'change_id',
  points: 'subject_id, first_at',
  baselines: 'monitor_id, subject_id',
  run_tallies: 'run_id',
  events: 'message_id',
  ...monitorTables,
  monitors: 'monitor_id',
} as const;

/**
 * Removes at most `stepMax` rows of one deleted monitor, the one that was deleted first. Skips monitors with a run in
 * progress. The last step removes the monitor itself. `purgeHistory` removes the monitor's history.
 */
export async function purgeDeleted(trx: Trx, stepMax: number): Promise<PurgeStep> {
  const { rows } = await sql<MonitorRef>`
    select account_id, monitor_id from monitors
    where deleted_at is not null and not exists (
      select from monitor_runs
      where monitor_runs.account_id = monitors.account_id and monitor_runs.monitor_id = monitors.monitor_id
        and finished_at is null)
    order by deleted_at limit 1`.execute(trx);
  const [deleted] = rows;
  if (!deleted) return { examined: 0, removed: 0 };
  const matches = sql`account_id = ${deleted.accountId} and monitor_id = ${deleted.monitorId}::uuid`;
  await sql`select from monitors where ${matches} for update`.execute(trx);
  for (const [table, key] of Object.entries(monitorTables)) {
    const removed = await removeSome(trx, { table, key, matches }, stepMax);
    if (removed > 0) return { examined: removed, removed };
  }
  const { numAffectedRows } = await sql`delete from monitors where ${matches}`.execute(trx);
  return { examined: 1, removed: Number(numAffectedRows ?? 0) };
}

/** Marks all monitors of an account as deleted. They are no longer due, and runs in progress do not notify. */
export async function markAllDeleted(trx: Trx, accountId: number): Promise<void> {
  await sql`
    update monitors set deleted_at = clock(), next_run_at = null
    where account_id = ${accountId} and deleted_at is null`.execute(trx);
}

/**
 * Removes at most `stepMax` rows of an account's monitors, including history and runs in progress. Returns the number
 * of removed rows. Call this until the number is 0. Call `markAllDeleted` first.
 */
export async function removeMonitorRows(trx: Trx, accountId: number, stepMax: number): Promise<number> {
  for (const [table, key] of Object.entries(accountTables)) {
    const matches = sql`account_id = ${accountId}`;
    const removed = await removeSome(trx, { table, key, matches }, stepMax);
    if (removed > 0) return removed;
  }
  return 0;
}

async function removeSome(
  trx: Trx,
  { table, key, matches }: { table: string; key: string; matches: ReturnType<typeof sql> },
  stepMax: number,
): Promise<number> {
  const [from, keys] = [sql.table(table), sql.raw(key)];
  const { numAffectedRows } = await sql`
    delete from ${from} where ${matches} and (${keys}) in (
      select ${keys} from ${from} where ${matches} limit ${stepMax})`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
