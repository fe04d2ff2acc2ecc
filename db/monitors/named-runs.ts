import { sql } from 'kysely';
import type { Trx } from '../postgres/connect.ts';
import type { RunRow } from './monitor-runs.ts';

/** A run, and what its monitor is called. */
export type NamedRun = Pick<RunRow, 'monitorId' | 'status' | 'reason'> & { name: string };

/** Those of some runs whose monitors are still there, by the names of these. */
export function listNamed(trx: Trx, accountId: number, runIds: string[]): Promise<NamedRun[]> {
  return trx
    .selectFrom('monitorRuns')
    .innerJoin('monitors', (join) =>
      join
        .onRef('monitors.accountId', '=', 'monitorRuns.accountId')
        .onRef('monitors.monitorId', '=', 'monitorRuns.monitorId'),
    )
    .select(['monitors.monitorId', 'monitors.name', 'monitorRuns.status', 'monitorRuns.reason'])
    .where('monitorRuns.accountId', '=', accountId)
    .where('runId', '=', sql<string>`any(${runIds}::uuid[])`)
    .where('monitors.deletedAt', 'is', null)
    .orderBy('monitors.name')
    .orderBy('monitors.monitorId')
    .execute();
}
