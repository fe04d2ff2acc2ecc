import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table, which old processes do not know; they grant again.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Addresses that credits were granted to for signing up, by a hash: once for each, whatever is deleted.
  await sql`
    create table sign_up_credits (
      address_key bytea primary key check (length(address_key) = 32),
      granted_at timestamptz not null default now()
    )`.execute(db);
}
