import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { CheckType } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { Records } from './records.ts';

interface EndedBatch {
  accountId: number;
  type: CheckType;
  /** Inputs with their outcomes; null: a failed item. */
  entries: Array<[input: object, outcome: object | null]>;
  error?: ItemError;
  reference?: string | null;
  summary?: object;
  run?: { monitorId: string; runId: string; name: string } | null;
}

let lastRequestId = 1_000_000;

/** Stores an ended batch with its items. Returns its id. */
export async function storeBatch(
  { db }: Pick<Records, 'db'>,
  {
    accountId,
    type,
    entries,
    error = 'checker_failed',
    reference = null,
    summary = {},
    run = null,
  }: EndedBatch,
): Promise<string> {
  const batchId = randomUUID();
  const failed = entries.filter(([, outcome]) => outcome === null).length;
  const status = failed === 0 ? 'completed' : failed === entries.length ? 'failed' : 'partial';
  const firstId = lastRequestId + 1;
  lastRequestId += entries.length;
  await sql`
    insert into batches (account_id, batch_id, monitor_id, run_id, submission_id, name, type, first_request_id, total,
      successful, failed, reference, summary, status, started_at, completed_at)
    values (${accountId}, ${batchId}, ${run?.monitorId ?? null}, ${run?.runId ?? null}, ${run?.runId ?? null},
      ${run?.name ?? null}, ${type}, ${firstId}, ${entries.length}, ${entries.length - failed}, ${failed}, ${reference},
      ${JSON.stringify(summary)}::jsonb, ${status}, now(), now())`.execute(db);
  const rows = entries.map(([input, outcome], position) => ({ position, input, outcome }));
  await sql`
    insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error)
    select ${accountId}, ${firstId}::bigint + position, ${batchId}, position, ${type},
      case when outcome is null then 'failed' else 'success' end, input, outcome,
      case when outcome is null then ${error}::text end
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (position int, input json, outcome json)`.execute(
    db,
  );
  return batchId;
}
