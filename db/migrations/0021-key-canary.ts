import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only, which old processes do not know.
export async function up(db: Kysely<unknown>): Promise<void> {
  // A value sealed by SECRET_KEY, by which a process knows at its start whether it has the key of this database.
  await sql`
    create table key_canary (
      is_only boolean primary key default true check (is_only),
      sealed bytea not null
    )`.execute(db);
}
