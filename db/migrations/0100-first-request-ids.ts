import { type Kysely, sql } from 'kysely';

// Safe on a running system: a column with a constant default, which is added without a look at the rows. Old processes
// neither read nor write it: of their batches it stays 0, which says that it is not known, until the upkeep writes it.
export async function up(db: Kysely<unknown>): Promise<void> {
  // The request id of the entry at position 0; those of the others follow by position. So whoever asks for the items of
  // a batch can say in which part of the table they are.
  await sql`alter table batches add column first_request_id bigint not null default 0`.execute(db);
}
