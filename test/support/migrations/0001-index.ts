import { type Kysely, sql } from 'kysely';

/** One that has to wait while somebody writes tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index made_while_running on api_tokens (name)`.execute(db);
}
