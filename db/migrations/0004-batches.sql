-- Processes take blocks of 10,000 ids (db/batches/request-ids.ts).
create sequence request_ids increment by 10000;

-- `skipped` counts entries refused at acceptance. They count as failed from the start and are never charged. So charged
-- is total - skipped, and refunded is failed - skipped; neither is stored. `first_request_id` is the id of the entry at
-- position 0; the ids of the others follow by position. `name` is set in the dashboard, `reference` by the caller of
-- the API. `again_of` is the batch whose inputs are checked again; `run_id` the run of a monitor that made it.
-- `token_id` is the token with a monthly limit that the charge counts against, so that refunds reduce its month.
-- `waiting_reason` says why the batch waits and until when.
create table batches (
  account_id bigint not null references accounts,
  batch_id uuid not null,
  submission_id uuid,
  monitor_id uuid,
  run_id uuid,
  retry_of uuid,
  retried_as uuid,
  again_of uuid,
  token_id bigint,
  type text not null,
  status text not null default 'pending',
  is_test boolean not null default false,
  first_request_id bigint not null check (first_request_id > 0),
  total integer not null check (total between 1 and 2000),
  skipped integer not null default 0,
  successful integer not null default 0 check (successful >= 0),
  failed integer not null default 0,
  duplicates integer not null default 0 check (duplicates >= 0),
  options jsonb not null default '{}',
  summary jsonb not null default '{}',
  name text check (length(name) between 1 and 255),
  reference text check (length(reference) <= 255),
  webhook_url text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  started_at timestamptz,
  completed_at timestamptz,
  canceled_at timestamptz,
  purged_at timestamptz,
  waiting_reason text,
  waiting_until timestamptz,
  primary key (account_id, batch_id),
  -- The list of check types is in schemas/check-types.ts; the database checks only the form of the word.
  constraint batches_type_form check (type ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint batch_counters_add_up check (skipped >= 0 and failed >= skipped and successful + failed <= total),
  constraint batch_finished_when_counted_out check ((completed_at is not null) = (successful + failed = total)),
  constraint batch_status_tells_the_counters check (status = case
    when successful + failed < total then case when started_at is null then 'pending' else 'processing' end
    when failed = 0 then 'completed'
    when successful = 0 then 'failed'
    else 'partial' end),
  constraint batch_canceled_is_finished check (canceled_at is null or completed_at is not null),
  constraint batch_purged_is_finished check (purged_at is null or completed_at is not null),
  constraint batch_waits_for_something check ((waiting_reason is null) = (waiting_until is null))
);
create index batches_newest_first on batches (account_id, created_at desc, batch_id desc);
create index batches_own on batches (account_id, created_at desc, batch_id desc) where run_id is null;
create index batches_open on batches (account_id, created_at desc, batch_id desc) where completed_at is null;
create index batches_open_by_first_id on batches (account_id, type, first_request_id) where completed_at is null;
create index batches_by_submission on batches (account_id, submission_id) where submission_id is not null;
create index batches_to_purge on batches (completed_at) where purged_at is null;
create index batches_of_tests on batches (completed_at) where is_test and purged_at is null;
create index batches_kept_by_first_id on batches (first_request_id) where purged_at is null;
create trigger batch_ends_once before update on batches for each row execute function batch_ends_once();

-- One row holds the inputs of many items. A single check is a chunk of one, without a batch or a job. A chunk of a
-- batch without a job waits for one. `paused_until` is when its job starts, if that is delayed. `tries` keeps, per
-- request id, the attempts so far when the remaining inputs of a chunk went into a new job. db/retention/partitions.ts
-- makes the partitions of chunks, items and history.
create table chunks (
  account_id bigint not null references accounts,
  chunk_id bigint not null,
  batch_id uuid,
  type text not null,
  is_test boolean not null default false,
  ordinal integer not null default 0 check (ordinal >= 0),
  inputs json not null,
  size integer not null check (size between 1 and 2000),
  settled integer not null default 0,
  tries jsonb not null default '{}',
  job_id uuid,
  paused_until timestamptz,
  token_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, chunk_id),
  foreign key (account_id, batch_id) references batches,
  constraint chunks_type_form check (type ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint chunk_counter_adds_up check (settled between 0 and size),
  constraint chunk_single_check_is_one check (batch_id is not null or size = 1),
  constraint chunk_job_is_for_batches check (batch_id is not null or job_id is null)
) partition by range (chunk_id);
create index chunks_by_batch on chunks (account_id, batch_id, ordinal);
create index chunks_waiting on chunks (account_id, type, created_at, chunk_id)
  where job_id is null and batch_id is not null and settled < size;
create index chunks_queued on chunks (account_id, type) where job_id is not null and settled < size;
create index chunks_unsettled on chunks (created_at) where settled < size;
create index chunks_singles_by_time on chunks (created_at) where batch_id is null;
create index chunks_single_in_flight on chunks (account_id) where batch_id is null and settled < size;
create index chunks_of_tests on chunks (created_at) where is_test and batch_id is null;

-- Outcomes, inserted once and never updated: the first writer wins, and only inserted rows are counted and refunded.
-- The input is stored here again, so that an item alone answers for its batch, the history and a retry. json instead of
-- jsonb keeps the order of fields. `problem` says why an entry was skipped at acceptance.
create table items (
  account_id bigint not null references accounts,
  request_id bigint not null,
  batch_id uuid,
  position integer check (position >= 0),
  type text not null,
  state text not null check (state in ('success', 'failed')),
  input json not null,
  outcome json,
  error text,
  problem text,
  checked_at timestamptz not null default now(),
  primary key (account_id, request_id),
  foreign key (account_id, batch_id) references batches,
  constraint items_type_form check (type ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint item_answer_or_error check (
    (state = 'success') = (outcome is not null) and (state = 'failed') = (error is not null)),
  constraint item_position_is_for_batches check ((batch_id is null) = (position is null))
) partition by range (request_id);
create index items_by_position on items (account_id, batch_id, position);
create index items_single_checks on items (account_id, checked_at desc, request_id desc) where batch_id is null;
create trigger item_is_final before update on items for each row execute function item_is_final();

-- All results that a rank check found, if the caller asked for them. They are kept for a shorter time than items.
create table result_pages (
  account_id bigint not null references accounts,
  request_id bigint not null,
  results json not null check (octet_length(results::text) <= 20480),
  created_at timestamptz not null default now(),
  primary key (account_id, request_id)
);
create index result_pages_by_time on result_pages (created_at);

-- Index verdicts and ranks, which outlive their items. Checks with the same `series` are comparable: the SHA-256 of the
-- URL, or of the query and its target. `checked_at` is in the key because the table is partitioned by it.
create table history (
  account_id bigint not null references accounts,
  request_id bigint not null,
  batch_id uuid,
  type text not null,
  state text not null check (state in ('success', 'failed')),
  error text,
  input json not null,
  series bytea not null check (length(series) = 32),
  is_indexed boolean,
  rank integer check (rank > 0),
  checked_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (account_id, request_id, checked_at),
  constraint history_type_form check (type ~ '^[a-z][a-z0-9_]{0,31}$'),
  check ((state = 'failed') = (error is not null)),
  check ((type = 'index' and state = 'success') = (is_indexed is not null)),
  check (rank is null or (type = 'keyword' and state = 'success'))
) partition by range (checked_at);
create index history_newest_first on history (account_id, type, checked_at desc, request_id desc);
create index history_by_verdict on history (account_id, type, is_indexed, checked_at desc, request_id desc)
  where is_indexed is not null;
create index history_by_series on history (account_id, series, checked_at desc, request_id desc);
create index history_by_rank_series on history (account_id, series, checked_at desc, request_id desc)
  where type = 'keyword';
-- For the purge only. Written as an expression, so that Postgres does not choose it for a page of one account.
create index history_by_age on history ((checked_at at time zone 'UTC'));

-- `status` and `body` are the stored response; the body is encrypted. Both are null while a single check runs.
create table idempotency_keys (
  account_id bigint not null references accounts,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  request_id bigint,
  status smallint check (status between 200 and 299),
  body bytea,
  created_at timestamptz not null default now(),
  primary key (account_id, key),
  check ((status is null) = (body is null))
);
create index idempotency_keys_by_time on idempotency_keys (created_at);
create index idempotency_keys_by_check on idempotency_keys (account_id, request_id) where request_id is not null;

-- Links that show a batch to anyone who has them. Revoking one deletes its row. They are found by hash, before the
-- account is known. `user_id` is the creator; the row is deleted when that user loses the right to create it.
create table report_links (
  link_id bigint generated by default as identity primary key,
  hash bytea not null unique check (length(hash) = 32),
  account_id bigint not null,
  batch_id uuid not null,
  user_id bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at > created_at)
);
create index report_links_by_batch on report_links (account_id, batch_id);
