/**
 * Turns a table that was one into partitions, of which it becomes the first, beside those who read and write it. What
 * is written while it is made ready all fits into that one, which is proved first without holding anybody up;
 * then the tables change places in a moment.
 */
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import type { Db, Trx } from './connect.ts';
import { allowSchemaChanges } from './distribution.ts';
import {
  boundAt,
  currentId,
  dayOf,
  idOf,
  idsPerDay,
  type PartitionedTable,
  partitionedTables,
} from './partition-bounds.ts';
import { lock } from './partitions.ts';
import { type Patience, untilUnlocked } from './unlocked.ts';

/** From now on until when the first partition takes what is new: the proof may take long, and be begun again. */
const daysToProve = 14;
/** With less time left the proof is begun anew. */
const daysLeftMin = 2;

export interface Partitioning {
  isCluster: boolean;
  patience: Patience;
}

/**
 * Does so with all tables that are to be partitioned and are not. Again after whoever died in the middle; never two at
 * once, which is for who calls to see to.
 */
export async function partitionTables(
  db: Db,
  { isCluster, patience }: Partitioning,
  log: Log,
): Promise<void> {
  for (const table of Object.keys(partitionedTables) as PartitionedTable[]) {
    if (await isPartitioned(db, table)) continue;
    const patiently = <T>(act: () => Promise<T>) =>
      untilUnlocked(act, `The partitioning of ${table}`, patience, log);
    log.info(`Table ${table} is being made ready for partitions beside those who write`);
    const until = await patiently(() => bound(db, table, patience));
    await patiently(() => prove(db, table));
    await patiently(() => db.transaction().execute((trx) => replace(trx, table, { until, isCluster })));
    await sql`analyze ${sql.table(table)}`.execute(db);
    log.info(`Table ${table} is partitioned`, { firstUntil: dayOf(until) });
  }
}

async function isPartitioned(db: Db | Trx, table: PartitionedTable): Promise<boolean> {
  const { rows } =
    await sql`select from pg_class where oid = to_regclass(${table}) and relkind = 'p'`.execute(db);
  return rows.length > 0;
}

/** The name of the condition that proves where the first partition ends. */
const boundName = 'before_partitions';

/** Sees to it that nothing from a certain id, or its moment, on gets in, and answers that. */
async function bound(db: Db, table: PartitionedTable, { lockMs }: Patience): Promise<number> {
  const now = await currentId(db);
  const { rows } = await sql<{ until: number }>`
    select ${idOf(sql`bound[1]`)} as until
    from pg_constraint cross join regexp_match(pg_get_constraintdef(oid), '< ''?([^'')]*)') as bound
    where conrelid = to_regclass(${table}) and conname = ${boundName}`.execute(db);
  const known = rows[0]?.until ?? 0;
  if (known > now + daysLeftMin * idsPerDay) return known;
  const until = (Math.floor(now / idsPerDay) + daysToProve) * idsPerDay;
  await db.transaction().execute(async (trx) => {
    await allowSchemaChanges(trx);
    await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(trx);
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    const column = sql.ref(partitionedTables[table]);
    await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.ref(boundName)}`.execute(trx);
    await sql`
      alter table ${sql.table(table)}
      add constraint ${sql.ref(boundName)} check (${column} < ${boundAt(table, until)}) not valid`.execute(
      trx,
    );
  });
  return until;
}

/** Proves all that is not proved yet: what a partition promises is true. Reads the whole table, and holds up nobody. */
async function prove(db: Db, table: PartitionedTable): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = to_regclass(${table}) and not convalidated`.execute(db);
  for (const { name } of rows) {
    await sql`alter table ${sql.table(table)} validate constraint ${sql.ref(name)}`.execute(db);
  }
}

/**
 * Makes the partitioned table under the name of the old one, with all that this has, and that its first partition.
 * Nothing is read or copied; who comes meanwhile waits for a moment, or has a statement planned anew.
 */
async function replace(
  trx: Trx,
  table: PartitionedTable,
  { until, isCluster }: { until: number; isCluster: boolean },
): Promise<void> {
  if (isCluster) await allowSchemaChanges(trx);
  // What becomes a partition gives its foreign keys up for those of the whole.
  await lock(trx, table, { references: 'removed' });
  if (await isPartitioned(trx, table)) return;
  await giveKey(trx, table);
  const first = `${table}_first`;
  const parts = await partsOf(trx, table);
  const [whole, part] = [sql.table(table), sql.table(first)];
  const column = sql.ref(partitionedTables[table]);
  for (const { name } of parts.triggers) await sql`drop trigger ${sql.ref(name)} on ${whole}`.execute(trx);
  await sql`alter table ${whole} rename to ${part}`.execute(trx);
  for (const { name } of parts.unique)
    await sql`alter table ${part} drop constraint ${sql.ref(name)}`.execute(trx);
  for (const { name } of parts.indexes) {
    await sql`alter index ${sql.ref(name)} rename to ${sql.ref(`${first}${name.slice(table.length)}`)}`.execute(
      trx,
    );
  }
  await sql`alter index ${sql.ref(`${table}_pkey`)} rename to ${sql.ref(`${first}_pkey`)}`.execute(trx);
  await sql`create table ${whole} (like ${part} including defaults including constraints) partition by range (${column})
    `.execute(trx);
  await sql`alter table ${whole} drop constraint ${sql.ref(boundName)}`.execute(trx);
  if (isCluster) {
    await sql`select create_distributed_table(${table}, 'account_id', colocate_with => 'accounts')`.execute(
      trx,
    );
  }
  for (const { name, definition } of [...parts.primary, ...parts.references]) {
    await sql`alter table ${whole} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(trx);
  }
  for (const { definition } of [...parts.indexes, ...parts.triggers]) await sql.raw(definition).execute(trx);
  await sql`alter table ${whole} attach partition ${part} for values from (minvalue) to (${boundAt(table, until)})
    `.execute(trx);
  await sql`alter table ${part} drop constraint ${sql.ref(boundName)}`.execute(trx);
}

/** Whose key says nothing of its partition gets the one that does, where that is made; nothing is read for it. */
async function giveKey(trx: Trx, table: PartitionedTable): Promise<void> {
  const [key, name] = [`${table}_key`, `${table}_pkey`];
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${key}) and indisvalid`.execute(trx);
  if (rows.length === 0) return;
  await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(trx);
  await sql`
    alter table ${sql.table(table)} add constraint ${sql.ref(name)} primary key using index ${sql.ref(key)}
    `.execute(trx);
}

interface Named {
  name: string;
  /** As Postgres writes it, with the table's name as it is now. */
  definition: string;
}

/** What a table has that a partitioned one is to have under the same name. */
async function partsOf(trx: Trx, table: PartitionedTable) {
  const constraints = async (kind: string) =>
    (
      await sql<Named>`
        select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
        where conrelid = to_regclass(${table}) and contype = ${kind}`.execute(trx)
    ).rows;
  const { rows: indexes } = await sql<Named>`
    select relname as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = to_regclass(${table}) and indisvalid
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(trx);
  const { rows: triggers } = await sql<Named>`
    select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = to_regclass(${table}) and not tgisinternal`.execute(trx);
  return {
    primary: await constraints('p'),
    // Superfluous beside the primary key, and a partitioned table's would have to take in the request id.
    unique: await constraints('u'),
    references: await constraints('f'),
    indexes,
    triggers,
  };
}
