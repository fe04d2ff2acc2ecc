import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Index verdicts and rank points outlive the items they came with. series is what makes two checks comparable: the
  // SHA-256 of the URL, or of the query and its target.
  await sql`
    create table history (
      account_id bigint not null references accounts,
      request_id bigint not null,
      batch_id uuid,
      type text not null check (type in ('index', 'keyword')),
      state text not null check (state in ('success', 'failed')),
      error text,
      input json not null,
      series bytea not null check (length(series) = 32),
      is_indexed boolean,
      rank integer check (rank > 0),
      checked_at timestamptz not null default date_trunc('milliseconds', now()),
      primary key (account_id, request_id),
      check ((state = 'failed') = (error is not null)),
      check ((type = 'index' and state = 'success') = (is_indexed is not null)),
      check (rank is null or (type = 'keyword' and state = 'success'))
    )`.execute(db);
  await sql`
    create index history_newest_first on history (account_id, type, checked_at desc, request_id desc)`.execute(
    db,
  );
  await sql`
    create index history_by_verdict on history (account_id, type, is_indexed, checked_at desc, request_id desc)
    where is_indexed is not null`.execute(db);
  await sql`
    create index history_by_series on history (account_id, series, checked_at desc, request_id desc)`.execute(
    db,
  );
  await sql`create index history_by_time on history (checked_at)`.execute(db);
}
