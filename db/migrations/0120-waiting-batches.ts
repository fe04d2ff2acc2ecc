import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table batches add column waiting_reason text, add column waiting_until timestamptz,
      add constraint batch_waits_for_something check ((waiting_reason is null) = (waiting_until is null))`.execute(
    db,
  );
}
