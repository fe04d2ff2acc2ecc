import { sql } from 'kysely';
import type { Db } from '../../db/postgres/connect.ts';
import type { PartitionedTable } from '../../db/retention/partitions.ts';

/** Makes a table what it was before there were partitions, of what was written until now. */
export async function makeWhole(db: Db, table: PartitionedTable): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = to_regclass(${table}) and not tgisinternal`.execute(db);
  // One after the other: a cluster takes no two of them together.
  await sql`alter table ${sql.table(table)} detach partition ${sql.table(`${table}_first`)}`.execute(db);
  await sql`drop table ${sql.table(table)}`.execute(db);
  await sql`alter table ${sql.table(`${table}_first`)} rename to ${sql.table(table)}`.execute(db);
  const { rows: indexes } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where tablename = ${table}`.execute(db);
  for (const { name } of indexes) {
    const before = name.replace(`${table}_first`, table);
    await sql`alter index ${sql.ref(name)} rename to ${sql.ref(before)}`.execute(db);
  }
  for (const { definition } of rows) await sql.raw(definition).execute(db);
  if (table === 'items') await sql`alter table items add unique (account_id, batch_id, position)`.execute(db);
  if (table === 'history') {
    await sql`alter table history drop constraint history_pkey`.execute(db);
    await sql`alter table history add primary key (account_id, request_id)`.execute(db);
  }
}
