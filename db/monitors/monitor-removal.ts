import { sql } from 'kysely';
import type { Trx } from '../postgres/connect.ts';
import type { PurgeStep } from '../retention/expired.ts';
import type { MonitorRef } from './monitors.ts';

/** Of a monitor, those that refer to others first, with the columns that name a row of an account. */
const ofMonitor = { annotations: 'annotation_id', subjects: 'subject_id', monitor_runs: 'run_id' } as const;

/** What an account's monitors left behind, in the order in which it can go. */
const ofAccount = {
  history_passes: 'monitor_id',
  changes: 'change_id',
  points: 'subject_id, first_at',
  baselines: 'monitor_id, subject_id',
  run_tallies: 'run_id',
  events: 'message_id',
  ...ofMonitor,
  monitors: 'monitor_id',
} as const;

/**
 * Removes rows of the monitor that was deleted first and has no run at work, `stepMax` at most; with its last ones the
 * monitor itself. Its history goes by the pass over that.
 */
export async function step(trx: Trx, stepMax: number): Promise<PurgeStep> {
  const { rows } = await sql<MonitorRef>`
    select account_id, monitor_id from monitors
    where deleted_at is not null and not exists (
      select from monitor_runs
      where monitor_runs.account_id = monitors.account_id and monitor_runs.monitor_id = monitors.monitor_id
        and finished_at is null)
    order by deleted_at limit 1`.execute(trx);
  const [deleted] = rows;
  if (!deleted) return { looked: 0, removed: 0 };
  const isOf = sql`account_id = ${deleted.accountId} and monitor_id = ${deleted.monitorId}::uuid`;
  await sql`select from monitors where ${isOf} for update`.execute(trx);
  for (const [table, key] of Object.entries(ofMonitor)) {
    const removed = await removeSome(trx, { table, key, isOf }, stepMax);
    if (removed > 0) return { looked: removed, removed };
  }
  const { numAffectedRows } = await sql`delete from monitors where ${isOf}`.execute(trx);
  return { looked: 1, removed: Number(numAffectedRows ?? 0) };
}

/** Marks all monitors of an account as deleted: none is due any more, and runs in progress notify nothing. */
export async function hideAll(trx: Trx, accountId: number): Promise<void> {
  await sql`
    update monitors set deleted_at = clock(), next_run_at = null
    where account_id = ${accountId} and deleted_at is null`.execute(trx);
}

/**
 * Removes what an account's monitors were and what they remember, whatever is at work; `stepMax` rows at most. Answers
 * how many it were; call it again while there are any. They are hidden before.
 */
export async function removeOf(trx: Trx, accountId: number, stepMax: number): Promise<number> {
  for (const [table, key] of Object.entries(ofAccount)) {
    const isOf = sql`account_id = ${accountId}`;
    const removed = await removeSome(trx, { table, key, isOf }, stepMax);
    if (removed > 0) return removed;
  }
  return 0;
}

async function removeSome(
  trx: Trx,
  { table, key, isOf }: { table: string; key: string; isOf: ReturnType<typeof sql> },
  stepMax: number,
): Promise<number> {
  const [from, named] = [sql.table(table), sql.raw(key)];
  const { numAffectedRows } = await sql`
    delete from ${from} where ${isOf} and (${named}) in (select ${named} from ${from} where ${isOf} limit ${stepMax})
    `.execute(trx);
  return Number(numAffectedRows ?? 0);
}
