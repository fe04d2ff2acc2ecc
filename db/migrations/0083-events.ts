import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table, and a foreign key that is gone. An old worker that takes the job of an event's
// delivery finds no batch for it and ends the job; the sweep makes a new one, until a new worker has it.
export async function up(db: Kysely<unknown>): Promise<void> {
  // What is told besides the end of a batch, by its webhook-id, and word for word the same at every attempt.
  await sql`
    create table events (
      account_id bigint not null references accounts,
      message_id text not null check (message_id ~ '^msg_[0-9a-z_-]{1,100}$'),
      event_id uuid not null,
      event text not null check (event ~ '^[a-z_.]{1,64}$'),
      monitor_id uuid,
      run_id uuid,
      is_paid boolean not null,
      body json not null,
      created_at timestamptz not null default date_trunc('milliseconds', now()),
      primary key (account_id, message_id),
      unique (account_id, event_id)
    )`.execute(db);
  await sql`create index events_by_time on events (created_at)`.execute(db);

  // batch_id now names what the delivery tells of: a batch, which tells of its own end, or an event by its event_id.
  await sql`alter table deliveries drop constraint deliveries_account_id_batch_id_fkey`.execute(db);
}
