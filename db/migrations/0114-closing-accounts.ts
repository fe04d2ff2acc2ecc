import { type Kysely, sql } from 'kysely';

// Safe on a running system: the column is null in every row, and no old process reads or writes it.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Since when an account is being closed for good; null before, and once nothing is left to erase.
  await sql`alter table accounts add column closing_since timestamptz`.execute(db);
}
