import { type Kysely, sql } from 'kysely';

// Safe on a running system: a column without a default, which is added without a look at the rows. Old processes
// neither read nor write it; entries that they skip are told of in general words, as before.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Why an entry did not fit that was skipped at acceptance, as a sentence for its caller; null for all else.
  await sql`alter table items add column problem text`.execute(db);
}
