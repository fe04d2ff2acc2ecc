import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new function only, which old processes do not know.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whether tables are spread over several machines; a cluster has it say so when it is distributed.
  await sql`create function is_cluster() returns boolean language sql stable return false`.execute(db);
}
