import { sql } from 'kysely';
import type { Records } from './records.ts';

const books = ['accounts', 'batches', 'chunks', 'items', 'ledger_entries'];

/**
 * How many rows of the tables of the books Postgres reads during an act, by its own count: those of scans of
 * whole tables, and those that indexes lead to. Of records with one connection, whose counts are then complete.
 */
export async function rowsRead({ db }: Records, act: () => Promise<unknown>): Promise<number> {
  const before = await counted(db);
  await act();
  return (await counted(db)) - before;
}

async function counted(db: Records['db']): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number }>`
    select ((select sum(seq_tup_read) from pg_stat_user_tables where relname = any(${books}::text[]))
      + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any(${books}::text[])))::bigint as rows
    `.execute(db);
  return rows[0]?.rows ?? 0;
}
