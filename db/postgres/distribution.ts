import { sql } from 'kysely';
import type { Db } from './connect.ts';

/**
 * Tables distributed by `account_id` over the data nodes of a Citus cluster, referenced tables first. All rows of an
 * account are on one node. A statement never mixes distributed and local tables.
 */
export const distributedTables = [
  'accounts',
  'ledger_entries',
  'batches',
  'chunks',
  'items',
  'idempotency_keys',
  'deliveries',
  'attempts',
  'history',
  'result_pages',
  'allowances',
  'monitors',
  'subjects',
  'monitor_runs',
  'events',
  'baselines',
  'changes',
  'points',
  'run_tallies',
  'history_passes',
  'annotations',
] as const;

/** Functions that run on the account's data node. The values are the names of the parameters that hold the account. */
export const distributedFunctions = { record_outcomes: 'of_account', fill_job_window: 'of_account' };

/** Lets a transaction change the schema of a cluster. Changes to shards then use one connection per node. */
export async function allowSchemaChanges(db: Db): Promise<void> {
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true),
    set_config('citus.enable_unsafe_triggers', 'on', true)`.execute(db);
}

/**
 * Distributes the tables that are not distributed yet, with their rows, in one transaction. Returns their names.
 * Throws an error with `isContention` if a table is locked for longer than `lockMs`.
 */
export function distribute(db: Db, lockMs: number): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await allowSchemaChanges(trx);
    await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(trx);
    const { rows } = await sql<{ table: string }>`
      select logicalrelid::text as table from pg_dist_partition`.execute(trx);
    const known = new Set(rows.map(({ table }) => table));
    const missing = distributedTables.filter((table) => !known.has(table));
    for (const table of missing) {
      const colocation = table === 'accounts' ? 'none' : 'accounts';
      await sql`select create_distributed_table(${table}, 'account_id', colocate_with => ${colocation})`.execute(
        trx,
      );
    }
    await distributeFunctions(trx);
    return missing;
  });
}

/**
 * Distributes the functions. Delegation is forced, because Citus delegates no other functions within a transaction. All
 * statements of these functions must name the account and read no local table.
 */
async function distributeFunctions(trx: Db): Promise<void> {
  for (const [name, account] of Object.entries(distributedFunctions)) {
    await sql`
      select create_distributed_function(oid::regprocedure, ${account}, colocate_with => 'accounts',
        force_delegation => true)
      from pg_proc where oid = to_regproc(${name}) and not exists (
        select from pg_dist_object
        where classid = 'pg_proc'::regclass and objid = pg_proc.oid and force_delegation)
      `.execute(trx);
  }
}
