import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { tablesAt } from './places.ts';

const lockId = 7_165_321;

/** What a transaction that changes the schema of a cluster needs: its changes to shards go by one connection. */
export async function allowSchemaChanges(db: Db): Promise<void> {
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true),
    set_config('citus.enable_unsafe_triggers', 'on', true)`.execute(db);
}

/**
 * Spreads those tables over a cluster that are not yet, with what they hold, and answers their names. All or none:
 * whoever writes meanwhile waits. Of two at once one does it. Errors: lock_timeout (isContention) when others hold a
 * table for longer than `lockMs`.
 */
export function distribute(db: Db, lockMs: number): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await allowSchemaChanges(trx);
    await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(trx);
    await sql`select pg_advisory_xact_lock(${lockId})`.execute(trx);
    const { rows } = await sql<{ table: string }>`
      select logicalrelid::text as table from pg_dist_partition`.execute(trx);
    const known = new Set(rows.map(({ table }) => table));
    const missing = tablesAt('by account').filter((table) => !known.has(table));
    for (const table of missing) {
      const besides = table === 'accounts' ? 'none' : 'accounts';
      await sql`select create_distributed_table(${table}, 'account_id', colocate_with => ${besides})`.execute(
        trx,
      );
    }
    await distributeFunctions(trx);
    await sql`
      create or replace function is_cluster() returns boolean language sql stable as 'select true'`.execute(
      trx,
    );
    return missing;
  });
}

/**
 * Functions that are called where their account is, by the name of their parameter for it. Forced, for Citus hands no
 * other function over within a transaction; all their statements must name that account and no table but its own.
 */
const functions = { record_outcomes: 'of_account', queue_chunks: 'of_account' };

async function distributeFunctions(trx: Db): Promise<void> {
  for (const [name, account] of Object.entries(functions)) {
    await sql`
      select create_distributed_function(oid::regprocedure, ${account}, colocate_with => 'accounts',
        force_delegation => true)
      from pg_proc where oid = to_regproc(${name}) and not exists (
        select from pg_dist_object
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and force_delegation)
      `.execute(trx);
  }
}
