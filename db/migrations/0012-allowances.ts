import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only. Processes of before go on counting in rate_limits by
// themselves.
export async function up(db: Kysely<unknown>): Promise<void> {
  // What an account has made the service do that nobody paid for: a level that sinks with time. weight is
  // that level at the moment of changed_at. A crash of Postgres may empty it: everyone then begins anew.
  await sql`
    create unlogged table allowances (
      account_id bigint primary key,
      weight double precision not null check (weight >= 0),
      changed_at timestamptz not null default now()
    ) with (fillfactor = 50)`.execute(db);
}
