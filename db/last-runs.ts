import { sql } from 'kysely';
import type { RunStatus, SkipReason } from '../schemas/monitor-words.ts';
import type { Db } from './connect.ts';

/** How the last check of a monitor went. */
export interface LastRun {
  monitorId: string;
  status: RunStatus;
  /** Null unless it was skipped. */
  reason: SkipReason | null;
  late: boolean;
  createdAt: Date;
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
