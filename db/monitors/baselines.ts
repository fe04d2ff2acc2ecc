import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import type { BaselineParts } from '../tables.ts';
import type { MonitorRef } from './monitors.ts';

/** The last notified state of a subject, and its best rank. */
export interface BaselineRow {
  subjectId: number;
  /**
   * Fields of the last notified answer. If this answer lacks a field, the field comes from an earlier answer. For a
   * query, `latest_url` is the page that ranked in the last answer, whether or not it was notified.
   */
  facts: Record<string, unknown>;
  /** Run that found an unconfirmed loss; null without such a loss. The next conclusive answer sets this to null. */
  pendingRunId: string | null;
  /** Facts of the AI Overview and the featured snippet. Null until a query with one of these parts has an answer. */
  parts: BaselineParts | null;
  /** Best rank; null before the first rank. */
  best: number | null;
  /** When the subject first had the best rank; null if `best` is null. */
  bestAt: Date | null;
}

/** Page that ranked in the last answer; null for none, and for URLs. Baselines of 0.1.0 have no `latest_url`. */
export const latestUrl = sql<string | null>`coalesce(facts->'latest_url', facts->'ranked_url') #>> '{}'`;

/** Returns baselines by subject. Subjects without an answer are missing. */
export async function find(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  subjectIds: number[],
): Promise<Map<number, BaselineRow>> {
  const rows = await db
    .selectFrom('baselines')
    .select(['subjectId', 'facts', 'pendingRunId', 'parts', 'best', 'bestAt'])
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('subjectId', '=', sql<number>`any(${subjectIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.subjectId, row]));
}

export async function save(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  baselines: BaselineRow[],
): Promise<void> {
  if (baselines.length === 0) return;
  const rows = baselines.map(({ subjectId, facts, pendingRunId, parts, best, bestAt }) => ({
    subject_id: subjectId,
    facts,
    pending_run_id: pendingRunId,
    parts,
    best,
    best_at: bestAt,
  }));
  // The statement selects from `accounts`, so that a cluster runs the whole statement on the account's node.
  await sql`
    insert into baselines (account_id, monitor_id, subject_id, facts, pending_run_id, parts, best, best_at)
    select accounts.account_id, ${monitorId}::uuid, subject_id, facts, pending_run_id, parts, best, best_at
    from accounts cross join json_to_recordset(${JSON.stringify(rows)}::json) as kept (subject_id bigint, facts jsonb,
      pending_run_id uuid, parts jsonb, best smallint, best_at timestamptz)
    where accounts.account_id = ${accountId}
    on conflict (account_id, monitor_id, subject_id) do update set facts = excluded.facts,
      pending_run_id = excluded.pending_run_id, parts = excluded.parts, best = excluded.best,
      best_at = excluded.best_at`.execute(trx);
}
