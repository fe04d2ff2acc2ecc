import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new function only.
export async function up(db: Kysely<unknown>): Promise<void> {
  // By which monitors are due. No setting moves it; a test puts another in its place in a database of its own.
  await sql`create function clock() returns timestamptz language sql stable as 'select now()'`.execute(db);
}
