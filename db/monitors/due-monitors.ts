import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';
import type { RunRef } from './monitor-runs.ts';
import { type MonitorRef, type MonitorRow, monitorColumns } from './monitors.ts';

/**
 * Returns at most `limit` due monitors. Accounts take turns, so that an account with thousands of monitors does not
 * delay others. Monitors of one account are in the order of their due times. Takes no lock.
 */
export async function findDue(db: Db, now: Date, limit: number): Promise<MonitorRow[]> {
  const { rows } = await sql<MonitorRow>`
    select ${sql.join(monitorColumns.map((column) => sql.ref(`monitors.${column}`)))} from (
      select account_id, monitor_id, round from (
        select account_id, monitor_id, next_run_at,
          row_number() over (partition by account_id order by next_run_at, monitor_id) as round
        from monitors where next_run_at <= ${now} and ${isOpen('monitors')}) as due
      order by round, next_run_at, monitor_id limit ${limit}) as first
    join monitors on monitors.account_id = first.account_id and monitors.monitor_id = first.monitor_id
    order by round, next_run_at, monitors.monitor_id`.execute(db);
  return rows;
}

/**
 * Excludes rows of disabled accounts. Looks up the few disabled accounts, because a join would read all open accounts.
 */
function isOpen(table: 'monitors' | 'monitor_runs') {
  return sql`not exists (
    select from accounts where accounts.account_id = ${sql.ref(`${table}.account_id`)} and disabled_at is not null)`;
}

/** Returns at most `limit` monitors that were paused for lack of credits, if their accounts can now pay for a run. */
export async function findResumable(db: Db, limit: number): Promise<MonitorRef[]> {
  const { rows } = await sql<MonitorRef>`
    select account_id, monitor_id from monitors join accounts using (account_id)
    where paused_reason = 'insufficient_credits' and deleted_at is null and disabled_at is null
      and credits >= greatest(subjects + overviews, 1)
    limit ${limit}`.execute(db);
  return rows;
}

/** Returns at most `limit` runs whose losses must be confirmed now. The longest overdue run comes first. */
export async function findToConfirm(db: Db, now: Date, limit: number): Promise<RunRef[]> {
  const { rows } = await sql<RunRef>`
    select account_id, run_id from monitor_runs where confirm_at <= ${now} and ${isOpen('monitor_runs')}
    order by confirm_at limit ${limit}`.execute(db);
  return rows;
}

// Time after which a run without progress has lost its job. The job of a run normally starts within seconds.
const strandedSeconds = 60;

/**
 * Returns at most `limit` runs that lost their job. A running run has lost its job if all batches ended some time ago.
 * A preparing run has lost its job if the sitemap was not read in time.
 */
export async function findOrphaned(db: Db, preparingSeconds: number, limit: number): Promise<RunRef[]> {
  const { rows } = await sql<RunRef>`
    select account_id, run_id from monitor_runs
    where finished_at is null and (
      status = 'preparing' and created_at < now() - ${preparingSeconds} * interval '1 second'
      or status = 'running' and created_at < now() - ${strandedSeconds} * interval '1 second' and not exists (
        select from batches
        where batches.account_id = monitor_runs.account_id and batch_id = any(batch_ids)
          and (completed_at is null or completed_at > now() - ${strandedSeconds} * interval '1 second')))
    order by created_at limit ${limit}`.execute(db);
  return rows;
}

/**
 * Counts monitors that are due now, and monitors that become due within a minute. `latestSeconds` is the longest delay.
 */
export async function measureDueMonitors(
  db: Db,
  now: Date,
): Promise<{ due: number; latestSeconds: number; withinMinute: number }> {
  const { rows } = await sql<{ due: number; latestSeconds: number; withinMinute: number }>`
    select count(*) filter (where next_run_at <= ${now}) as due,
      coalesce(extract(epoch from ${now}::timestamptz - min(next_run_at) filter (where next_run_at <= ${now})), 0)::float8
        as latest_seconds,
      count(*) filter (where next_run_at > ${now}) as within_minute
    from monitors where next_run_at <= ${now}::timestamptz + interval '1 minute' and ${isOpen('monitors')}`.execute(
    db,
  );
  return rows[0] ?? { due: 0, latestSeconds: 0, withinMinute: 0 };
}
