import { type Kysely, sql } from 'kysely';

// Safe on a running system: new tables only.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence request_ids increment by 10000`.execute(db);

  // skipped: entries refused at acceptance; they count as failed from the start and were never charged. So
  // charged = total - skipped, refunded = failed - skipped, and both are read off rather than stored.
  await sql`
    create table batches (
      account_id bigint not null references accounts,
      batch_id uuid not null,
      type text not null check (type in ('index', 'http', 'keyword')),
      status text not null default 'pending',
      total integer not null check (total between 1 and 2000),
      skipped integer not null default 0,
      successful integer not null default 0 check (successful >= 0),
      failed integer not null default 0,
      duplicates integer not null default 0 check (duplicates >= 0),
      first_turn bigint not null default 0,
      options jsonb not null default '{}',
      summary jsonb not null default '{}',
      reference text check (length(reference) <= 255),
      webhook_url text,
      retry_of uuid,
      retried_as uuid,
      created_at timestamptz not null default date_trunc('milliseconds', now()),
      started_at timestamptz,
      completed_at timestamptz,
      canceled_at timestamptz,
      purged_at timestamptz,
      primary key (account_id, batch_id),
      constraint batch_counters_add_up check (
        skipped >= 0 and failed >= skipped and successful + failed <= total),
      constraint batch_finished_when_counted_out check (
        (completed_at is not null) = (successful + failed = total)),
      constraint batch_status_tells_the_counters check (status = case
        when successful + failed < total then case when started_at is null then 'pending' else 'processing' end
        when failed = 0 then 'completed'
        when successful = 0 then 'failed'
        else 'partial' end),
      constraint batch_canceled_is_finished check (canceled_at is null or completed_at is not null),
      constraint batch_purged_is_finished check (purged_at is null or completed_at is not null)
    )`.execute(db);
  await sql`create index batches_newest_first on batches (account_id, created_at desc, batch_id desc)`.execute(
    db,
  );
  await sql`create index batches_to_purge on batches (completed_at) where purged_at is null`.execute(db);

  await sql`
    create function batch_ends_once() returns trigger language plpgsql as $$
    begin
      if new.successful < old.successful or new.failed < old.failed then
        raise exception 'the counters of batch % only grow', old.batch_id;
      end if;
      if old.completed_at is not null
        and (new.status, new.total, new.skipped, new.successful, new.failed, new.completed_at, new.canceled_at)
        is distinct from
        (old.status, old.total, old.skipped, old.successful, old.failed, old.completed_at, old.canceled_at) then
        raise exception 'batch % has ended', old.batch_id;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger batch_ends_once before update on batches
    for each row execute function batch_ends_once()`.execute(db);

  // One row holds the inputs of many items; a single check is a chunk of one, without a batch or a job. tries
  // remembers, per request id, what was already tried when the rest of a chunk went into a new job.
  await sql`
    create table chunks (
      account_id bigint not null references accounts,
      chunk_id bigint not null,
      batch_id uuid,
      type text not null check (type in ('index', 'http', 'keyword')),
      ordinal integer not null default 0 check (ordinal >= 0),
      inputs json not null,
      size integer not null check (size between 1 and 2000),
      settled integer not null default 0,
      tries jsonb not null default '{}',
      job_id uuid,
      created_at timestamptz not null default now(),
      primary key (account_id, chunk_id),
      foreign key (account_id, batch_id) references batches,
      constraint chunk_counter_adds_up check (settled between 0 and size),
      constraint chunk_single_check_is_one check (batch_id is not null or size = 1),
      constraint chunk_job_is_for_batches check ((batch_id is null) = (job_id is null))
    )`.execute(db);
  await sql`create index chunks_by_batch on chunks (account_id, batch_id, ordinal)`.execute(db);
  await sql`
    create index chunks_unsettled on chunks (created_at)
    where settled < size`.execute(db);
  await sql`
    create index chunks_singles_by_time on chunks (created_at) where batch_id is null`.execute(db);
  await sql`
    create index chunks_single_in_flight on chunks (account_id)
    where batch_id is null and settled < size`.execute(db);

  // Inserted once, never updated: the first writer wins, and the rows really inserted are counted and refunded.
  // The input stands here again, so that an item answers alone for its batch, the history and a retry. json rather than
  // jsonb keeps the order of the fields for the reader.
  await sql`
    create table items (
      account_id bigint not null references accounts,
      request_id bigint not null,
      batch_id uuid,
      position integer check (position >= 0),
      type text not null check (type in ('index', 'http', 'keyword')),
      state text not null check (state in ('success', 'failed')),
      input json not null,
      outcome json,
      error text,
      checked_at timestamptz not null default now(),
      primary key (account_id, request_id),
      unique (account_id, batch_id, position),
      foreign key (account_id, batch_id) references batches,
      constraint item_answer_or_error check (
        (state = 'success') = (outcome is not null) and (state = 'failed') = (error is not null)),
      constraint item_position_is_for_batches check ((batch_id is null) = (position is null))
    )`.execute(db);
  await sql`
    create function item_is_final() returns trigger language plpgsql as $$
    begin
      raise exception 'item % has its outcome', old.request_id;
    end $$`.execute(db);
  await sql`
    create trigger item_is_final before update on items
    for each row execute function item_is_final()`.execute(db);
}
