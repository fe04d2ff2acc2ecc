import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only.
export async function up(db: Kysely<unknown>): Promise<void> {
  // status and body are the kept answer, the body sealed; both null while a single check is still running.
  await sql`
    create table idempotency_keys (
      account_id bigint not null references accounts,
      key text not null check (length(key) between 1 and 255),
      fingerprint bytea not null check (length(fingerprint) = 32),
      batch_id uuid,
      request_id bigint,
      status smallint check (status between 200 and 299),
      body bytea,
      created_at timestamptz not null default now(),
      primary key (account_id, key),
      check (num_nonnulls(batch_id, request_id) <= 1),
      check ((status is null) = (body is null))
    )`.execute(db);
  await sql`create index idempotency_keys_by_time on idempotency_keys (created_at)`.execute(db);
  await sql`
    create index idempotency_keys_by_check on idempotency_keys (account_id, request_id)
    where request_id is not null`.execute(db);
}
