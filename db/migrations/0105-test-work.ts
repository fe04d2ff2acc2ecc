import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns with a constant default, which are added without a look at the rows. Old processes
// neither read nor write them, and make no test tokens: what they accept is live, as the default says.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Asked for by a test token: its answers are invented, nothing is charged, and it is kept for a week.
  await sql`alter table batches add column is_test boolean not null default false`.execute(db);
  await sql`alter table chunks add column is_test boolean not null default false`.execute(db);
}
