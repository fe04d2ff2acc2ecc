import { type Kysely, sql } from 'kysely';

// Safe on a running system: a small index, whose making holds up nobody but who makes or revokes a token meanwhile.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index api_tokens_revoked on api_tokens (revoked_at) where revoked_at is not null`.execute(
    db,
  );
}
