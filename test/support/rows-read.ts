import { sql } from 'kysely';
import type { Records } from './records.ts';

const tables = ['accounts', 'batches', 'chunks', 'items', 'ledger_entries'];

/**
 * Returns the rows of the ledger's tables that Postgres reads during `act`, by its own statistics. Needs records with
 * one connection, whose statistics are complete.
 */
export async function rowsRead({ db }: Records, act: () => Promise<unknown>): Promise<number> {
  const before = await counted(db);
  await act();
  return (await counted(db)) - before;
}

async function counted(db: Records['db']): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number }>`
    select ((select sum(seq_tup_read) from pg_stat_user_tables where relname = any(${tables}::text[]))
      + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any(${tables}::text[])))::bigint as rows
    `.execute(db);
  return rows[0]?.rows ?? 0;
}
