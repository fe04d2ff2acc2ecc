import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns without a default, which are added without a look at the rows. Old processes
// neither read nor write them; their batches have no name of their own and are nobody's second visit.
export async function up(db: Kysely<unknown>): Promise<void> {
  // What people call the batch, who may change it; the caller's reference stays what it was. And the batch whose inputs
  // were checked again; null for one that was submitted.
  await sql`
    alter table batches
      add column name text check (length(name) between 1 and 255),
      add column again_of uuid`.execute(db);
}
