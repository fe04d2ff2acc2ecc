import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns without a default, which are added without a look at the rows. Old processes
// record and end batches of runs as any others; their run then goes on with the next look that a new one takes.
export async function up(db: Kysely<unknown>): Promise<void> {
  // The monitor and its run that a batch is of; both null for one that a caller submitted.
  await sql`
    alter table batches
      add column monitor_id uuid,
      add column run_id uuid`.execute(db);
}
