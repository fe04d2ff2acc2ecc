import { type Kysely, sql } from 'kysely';

// Safe on a running system: a column without a default, which is added without a look at the rows. Old processes
// neither read nor write it; their batches are submissions of their own.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Batches that were submitted together have the same; null for one that was submitted alone.
  await sql`alter table batches add column submission_id uuid`.execute(db);
}
