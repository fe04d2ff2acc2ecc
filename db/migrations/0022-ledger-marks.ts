import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only, which old processes neither read nor write.
export async function up(db: Kysely<unknown>): Promise<void> {
  // How far an account's ledger has been verified: the last entry looked at, and the balance it made.
  await sql`
    create table ledger_marks (
      account_id bigint primary key references accounts,
      entry_no bigint not null check (entry_no > 0),
      balance bigint not null check (balance >= 0),
      verified_at timestamptz not null default now()
    )`.execute(db);
}
