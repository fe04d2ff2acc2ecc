import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only. Old processes keep what they find where they did, and what they do not
// know of is found again by those that do.
export async function up(db: Kysely<unknown>): Promise<void> {
  // What does not add up, until it does. subject is the id of a batch or of a single check or the number of an
  // entry, and empty for the account as a whole.
  await sql`
    create table ledger_faults (
      account_id bigint not null references accounts,
      what text not null,
      subject text not null,
      expected bigint not null,
      found bigint not null,
      note text,
      found_at timestamptz not null default now(),
      primary key (account_id, what, subject)
    )`.execute(db);
}
