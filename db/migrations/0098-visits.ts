import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns that may be null, on a small table, added without a look at the rows. Old processes
// neither read nor write them.
export async function up(db: Kysely<unknown>): Promise<void> {
  // When a member last looked at what monitors found, to five minutes; and when the visit before this one ended, null
  // before there is one. What changed since then is what a page tells first.
  await sql`
    alter table memberships
      add column visited_at timestamptz(3),
      add column last_visit_at timestamptz(3)`.execute(db);
}
