import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column likes_coffee boolean`.execute(db);
  await sql`alter table api_tokens add column likes_coffee boolean`.execute(db);
}
