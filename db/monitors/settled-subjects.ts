import { sql } from 'kysely';
import type { InputOf } from '../../schemas/check-types.ts';
import type { Trx } from '../postgres/connect.ts';
import type { MonitorRef } from './monitors.ts';

/** The ids of a monitor's subjects by their fingerprints in hex; those that it does not have are not there. */
export async function byFingerprint(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  prints: Buffer[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('subjects')
    .select(['subjectId', sql<string>`encode(fingerprint, 'hex')`.as('print')])
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('fingerprint', '=', sql<Buffer>`any(${prints}::bytea[])`)
    .execute();
  return new Map(rows.map(({ subjectId, print }) => [print, subjectId]));
}

/** The addresses that a sitemap brought with a run, and those that it no longer listed. */
export async function movedBy(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  runId: string,
): Promise<Array<{ subjectId: number; input: InputOf; hasLeft: boolean }>> {
  const { rows } = await sql<{ subjectId: number; input: InputOf; hasLeft: boolean }>`
    select subject_id, input, left_at is not null as has_left from subjects
    where account_id = ${accountId} and monitor_id = ${monitorId} and (
      (joined_run_id = ${runId} and left_at is null)
      or (left_run_id = ${runId} and left_reason = 'left_sitemap'))
    order by position`.execute(trx);
  return rows;
}
