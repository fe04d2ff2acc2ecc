import { sql } from 'kysely';
import type { RunStatus, SkipReason } from '../../schemas/monitor-words.ts';
import type { Db } from '../postgres/connect.ts';

/** How the last check of a monitor went. */
export interface LastRun {
  monitorId: string;
  status: RunStatus;
  /** Null unless it was skipped. */
  reason: SkipReason | null;
  /** Whether it came ten minutes or more after it was due. */
  late: boolean;
  createdAt: Date;
}

/** A check that has not ended, which keeps another of its monitor from beginning. */
export interface RunAtWork {
  monitorId: string;
  /** How many it checks; 0 until its sitemap has been read. */
  subjects: number;
  /** How many of them have an answer or have failed. */
  done: number;
}

/** The check at work of each monitor; one that rests has none. It need not be the last: one skipped since is newer. */
export async function atWork(
  db: Db,
  accountId: number,
  monitorIds: string[],
): Promise<Map<string, RunAtWork>> {
  const { rows } = await sql<RunAtWork>`
    select run.monitor_id, case when run.status = 'preparing' then 0 else run.subjects end as subjects, (
      select coalesce(sum(successful + failed), 0)::int from batches
      where account_id = ${accountId} and batch_id = any(run.batch_ids)) as done
    from monitor_runs as run
    where run.account_id = ${accountId} and run.monitor_id = any(${monitorIds}::uuid[]) and run.kind = 'check'
      and run.finished_at is null`.execute(db);
  return new Map(rows.map((row) => [row.monitorId, row]));
}

/** The last check of each monitor, whether it took place or was skipped; one that never ran has none. */
export async function ofEach(db: Db, accountId: number, monitorIds: string[]): Promise<Map<string, LastRun>> {
  const { rows } = await sql<LastRun>`
    select last.* from unnest(${monitorIds}::uuid[]) as wanted (id)
    cross join lateral (
      select monitor_id, status, reason, late, created_at from monitor_runs
      where account_id = ${accountId} and monitor_id = wanted.id and kind = 'check'
      order by created_at desc, run_id desc limit 1) as last`.execute(db);
  return new Map(rows.map((row) => [row.monitorId, row]));
}
