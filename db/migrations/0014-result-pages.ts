import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only. Processes of before neither write nor read it.
export async function up(db: Kysely<unknown>): Promise<void> {
  // What was found on the way to a rank, where the caller asked for it: apart from items, which stay small,
  // and kept for a shorter time.
  await sql`
    create table result_pages (
      account_id bigint not null references accounts,
      request_id bigint not null,
      results json not null check (octet_length(results::text) <= 20480),
      created_at timestamptz not null default now(),
      primary key (account_id, request_id)
    )`.execute(db);
  await sql`create index result_pages_by_time on result_pages (created_at)`.execute(db);
}
