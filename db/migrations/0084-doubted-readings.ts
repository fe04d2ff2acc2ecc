import { type Kysely, sql } from 'kysely';

// Safe on a running system: a column without a default, which is added without a look at the rows.
export async function up(db: Kysely<unknown>): Promise<void> {
  // How many addresses the last reading of a sitemap had that was not believed, since more than half were gone; null
  // after one that was.
  await sql`alter table monitors add column doubted_count integer`.execute(db);
}
