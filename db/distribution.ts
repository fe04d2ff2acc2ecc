import { sql } from 'kysely';
import type { Db } from './connect.ts';
import type { DB } from './tables.ts';

/**
 * Where a table is when Postgres is a Citus cluster. By account: spread over the data nodes, all rows of an account
 * together. Local: at the coordinator alone; found by what nobody's account is known for yet, or counted over all.
 */
export type TablePlace = 'by account' | 'local';

/** Every table of ours, those that others refer to first. A join or a statement never mixes the two places. */
export const places = {
  accounts: 'by account',
  ledgerEntries: 'by account',
  batches: 'by account',
  chunks: 'by account',
  items: 'by account',
  turns: 'by account',
  idempotencyKeys: 'by account',
  deliveries: 'by account',
  attempts: 'by account',
  history: 'by account',
  resultPages: 'by account',
  allowances: 'by account',
  ledgerMarks: 'by account',
  ledgerFaults: 'by account',
  monitors: 'by account',
  subjects: 'by account',
  monitorRuns: 'by account',
  events: 'by account',
  baselines: 'by account',
  changes: 'by account',
  points: 'by account',
  runTallies: 'by account',
  historyPasses: 'by account',
  annotations: 'by account',
  apiTokens: 'local',
  tokenSpending: 'local',
  reportLinks: 'local',
  users: 'local',
  memberships: 'local',
  invitations: 'local',
  activity: 'local',
  sessions: 'local',
  signInLinks: 'local',
  signInTries: 'local',
  mails: 'local',
  mailLinks: 'local',
  deadAddresses: 'local',
  mailOptOuts: 'local',
  totpFactors: 'local',
  passkeys: 'local',
  recoveryCodes: 'local',
  signInSteps: 'local',
  passkeyChallenges: 'local',
  rateLimits: 'local',
  queues: 'local',
  chores: 'local',
  providerLeases: 'local',
  providerUsage: 'local',
  providerShares: 'local',
  keyCanary: 'local',
} as const satisfies Record<keyof DB, TablePlace>;

const lockId = 7_165_321;

/** The names in SQL of the tables of a place, in the order of `places`. */
export function tablesAt(place: TablePlace): string[] {
  return Object.entries(places)
    .filter(([, at]) => at === place)
    .map(([table]) => inSnakeCase(table));
}

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

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
