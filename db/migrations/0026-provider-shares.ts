import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only. Processes of before go on counting calls in provider_usage, which is
// what the limit of the day is about, and only hold no account to its share.
export async function up(db: Kysely<unknown>): Promise<void> {
  // An account's calls at a provider on the last day that it made any. A crash of Postgres may empty it: everyone
  // then begins anew with what is left of the day.
  await sql`
    create unlogged table provider_shares (
      account_id bigint not null,
      provider text not null,
      day date not null,
      calls bigint not null check (calls > 0),
      primary key (account_id, provider)
    ) with (fillfactor = 50)`.execute(db);
}
