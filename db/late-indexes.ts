import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Db } from './connect.ts';
import type { DB } from './tables.ts';

/**
 * Indexes of tables that may have grown large. A migration is a transaction, and would keep writers waiting
 * until the index is made; these are made beside them, after the migrations.
 */
const lateIndexes: Record<string, string> = {
  ledger_refunds_by_batch: `ledger_entries (account_id, batch_id) where kind = 'refund' and batch_id is not null`,
  history_by_rank_series: `history (account_id, series, checked_at desc, request_id desc) where type = 'keyword'`,
  batches_by_submission: 'batches (account_id, submission_id) where submission_id is not null',
};

const lockId = 7_165_320;
const pauseMs = 500;

/** Makes the indexes that are not there yet; one that somebody left unfinished is made anew. */
export function makeLateIndexes(db: Db): Promise<void> {
  return db.connection().execute(async (session) => {
    // Asked for again and again: whoever waits in a statement is waited for by the one who makes an index.
    while (!(await isLocked(session))) await sleep(pauseMs);
    try {
      for (const [name, of] of Object.entries(lateIndexes)) await makeIndex(session, name, of);
    } finally {
      await sql`select pg_advisory_unlock(${lockId})`.execute(session);
    }
  });
}

async function isLocked(session: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_lock(${lockId}) as ours`.execute(
    session,
  );
  return rows[0]?.ours ?? false;
}

async function makeIndex(session: Kysely<DB>, name: string, of: string): Promise<void> {
  const { rows } = await sql<{ isMade: boolean }>`
    select indisvalid as is_made from pg_index where indexrelid = to_regclass(${name})`.execute(session);
  if (rows[0]?.isMade) return;
  if (rows.length > 0) await sql`drop index concurrently ${sql.ref(name)}`.execute(session);
  await sql`create index concurrently ${sql.ref(name)} on ${sql.raw(of)}`.execute(session);
}
