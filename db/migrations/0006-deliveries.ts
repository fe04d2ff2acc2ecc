import { type Kysely, sql } from 'kysely';

// Safe on a running system: new tables only.
export async function up(db: Kysely<unknown>): Promise<void> {
  // One per batch with a webhook_url. job_id is the job that makes the next attempt; round_attempts are those since it
  // was owed or last sent again, and decide where in the schedule it stands.
  await sql`
    create table deliveries (
      account_id bigint not null references accounts,
      batch_id uuid not null,
      url text not null,
      state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
      attempts integer not null default 0 check (attempts >= 0),
      round_attempts integer not null default 0,
      next_attempt_at timestamptz default now(),
      job_id uuid,
      created_at timestamptz not null default date_trunc('milliseconds', now()),
      ended_at timestamptz,
      primary key (account_id, batch_id),
      foreign key (account_id, batch_id) references batches,
      constraint delivery_round_is_part check (round_attempts between 0 and attempts),
      constraint delivery_ended_or_due check ((state = 'pending') = (ended_at is null)
        and (state = 'pending') = (next_attempt_at is not null))
    )`.execute(db);
  await sql`
    create index deliveries_newest_first on deliveries (account_id, created_at desc, batch_id desc)`.execute(
    db,
  );
  await sql`create index deliveries_due on deliveries (next_attempt_at) where state = 'pending'`.execute(db);

  // status is null when no HTTP answer came, and error then says why.
  await sql`
    create table attempts (
      account_id bigint not null,
      batch_id uuid not null,
      attempt_no integer not null check (attempt_no > 0),
      attempted_at timestamptz not null default now(),
      duration_ms integer not null check (duration_ms >= 0),
      status smallint check (status between 100 and 999),
      error text,
      primary key (account_id, batch_id, attempt_no),
      foreign key (account_id, batch_id) references deliveries,
      check (num_nonnulls(status, error) = 1)
    )`.execute(db);
}
