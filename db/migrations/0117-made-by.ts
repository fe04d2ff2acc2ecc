import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns that may be null. Of what old processes make nobody is known, and nothing of it is
// void when its maker leaves.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Who made them; they are void when that person could not make them any more.
  await sql`alter table report_links add column user_id bigint`.execute(db);
  await sql`alter table invitations add column user_id bigint`.execute(db);
}
