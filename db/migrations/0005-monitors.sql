-- Checks that repeat. Each change that affects the next run increments `revision`, so that a run prepared before the
-- change does not start. A deleted monitor has no due time and is removed in steps. `doubted_count` is the number
-- of URLs in the last reading of the sitemap if that was not trusted, because more than half were gone. `token_id` is
-- the token with a monthly limit that its runs count against.
create table monitors (
  account_id bigint not null references accounts,
  monitor_id uuid not null,
  token_id bigint,
  name text not null check (length(name) between 1 and 255),
  type text not null check (type ~ '^[a-z][a-z0-9_]{0,31}$'),
  sitemap_url text,
  schedule jsonb not null,
  options jsonb not null default '{}',
  stop_when text check (stop_when = 'indexed'),
  notify jsonb not null,
  rank_threshold integer not null check (rank_threshold between 1 and 100),
  confirm_losses boolean not null,
  subjects_max integer not null check (subjects_max between 1 and 10000),
  reference text check (length(reference) <= 255),
  status text not null default 'active' check (status in ('active', 'paused', 'completed')),
  paused_reason text check (paused_reason in ('by_hand', 'insufficient_credits')),
  subjects integer not null default 0,
  revision integer not null default 0,
  shortfalls integer not null default 0 check (shortfalls >= 0),
  sitemap_read_at timestamptz,
  doubted_count integer,
  next_run_at timestamptz,
  last_run_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  deleted_at timestamptz,
  primary key (account_id, monitor_id),
  constraint monitor_subjects_bounded check (subjects between 0 and subjects_max),
  constraint monitor_due_when_active check ((next_run_at is not null) = (status = 'active' and deleted_at is null)),
  constraint monitor_paused_for_a_reason check ((status = 'paused') = (paused_reason is not null))
);
create index monitors_due on monitors (next_run_at) where next_run_at is not null;
create index monitors_newest_first on monitors (account_id, created_at desc, monitor_id desc)
  where deleted_at is null;
create index monitors_short_of_credits on monitors (account_id) where paused_reason = 'insufficient_credits';
create index monitors_deleted on monitors (deleted_at) where deleted_at is not null;

create sequence subject_ids;

-- URLs and queries of a monitor. `fingerprint` covers the input with its options. Subjects that left stay, for their
-- history.
create table subjects (
  account_id bigint not null references accounts,
  subject_id bigint not null default nextval('subject_ids'),
  monitor_id uuid not null,
  fingerprint bytea not null check (length(fingerprint) = 32),
  input json not null,
  position integer not null check (position >= 0),
  joined_at timestamptz not null default now(),
  joined_run_id uuid,
  left_at timestamptz,
  left_run_id uuid,
  left_reason text check (left_reason in ('removed', 'left_sitemap', 'indexed')),
  primary key (account_id, subject_id),
  unique (account_id, monitor_id, fingerprint),
  foreign key (account_id, monitor_id) references monitors,
  constraint subject_left_for_a_reason check ((left_at is null) = (left_reason is null))
);
create index subjects_in_order on subjects (account_id, monitor_id, position) where left_at is null;

-- One per monitor and due time, and one check in progress per monitor. A run that started has the ledger entry of its
-- charge, and the batch of that entry.
create table monitor_runs (
  account_id bigint not null references accounts,
  run_id uuid not null,
  monitor_id uuid not null,
  token_id bigint,
  kind text not null check (kind in ('check', 'confirmation')),
  confirms uuid,
  due_at timestamptz,
  late boolean not null default false,
  status text not null check (status in ('preparing', 'running', 'completed', 'partial', 'failed', 'skipped')),
  reason text check (reason ~ '^[a-z_]{1,40}$'),
  batch_id uuid,
  batch_ids uuid[] not null default '{}',
  entry_no bigint,
  credits_charged integer not null default 0,
  subjects integer not null default 0,
  checked integer not null default 0 check (checked >= 0),
  failed integer not null default 0 check (failed >= 0),
  changes integer not null default 0 check (changes >= 0),
  left_out integer not null default 0 check (left_out >= 0),
  sitemap_doubtful boolean not null default false,
  confirm_subjects bigint[] not null default '{}',
  confirm_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, run_id),
  constraint run_once_per_due_time unique (account_id, monitor_id, due_at),
  constraint run_confirmed_once unique (account_id, confirms),
  foreign key (account_id, monitor_id) references monitors,
  foreign key (account_id, batch_id) references batches,
  constraint run_confirms_another check ((kind = 'confirmation') = (confirms is not null)),
  constraint run_late_for_a_time check (not late or due_at is not null),
  constraint run_is_charged check (
    (status in ('preparing', 'skipped')) = (entry_no is null)
    and (entry_no is null) = (batch_id is null)
    and (entry_no is null) = (started_at is null)
    and (entry_no is null) = (credits_charged = 0)
    and (entry_no is null) = (cardinality(batch_ids) = 0)),
  constraint run_skipped_for_a_reason check ((status = 'skipped') = (reason is not null)),
  constraint run_finished_or_at_work check ((status in ('preparing', 'running')) = (finished_at is null)),
  constraint run_counts_add_up check (
    checked + failed = case when status in ('completed', 'partial', 'failed') then subjects else 0 end),
  constraint run_status_tells_the_counters check (case status
    when 'completed' then failed = 0
    when 'failed' then checked = 0
    when 'partial' then checked > 0 and failed > 0
    else true end),
  constraint run_confirms_some check ((confirm_at is null) = (cardinality(confirm_subjects) = 0))
);
create unique index run_one_at_work on monitor_runs (account_id, monitor_id)
  where finished_at is null and kind = 'check';
create index runs_newest_first on monitor_runs (account_id, monitor_id, created_at desc, run_id desc);
create index runs_at_work on monitor_runs (created_at) where finished_at is null;
create index runs_to_confirm on monitor_runs (confirm_at) where confirm_at is not null;
create trigger run_names_its_charge before insert or update of entry_no, batch_id on monitor_runs
  for each row when (new.entry_no is not null) execute function run_names_its_charge();

-- The tables below have no foreign keys to monitors: a chore removes their rows in steps after a monitor is deleted.

-- The last notified state of each subject, and its best rank.
create table baselines (
  account_id bigint not null references accounts,
  monitor_id uuid not null,
  subject_id bigint not null,
  facts jsonb not null,
  pending_run_id uuid,
  best smallint,
  best_at timestamptz,
  primary key (account_id, monitor_id, subject_id),
  check ((best is null) = (best_at is null))
);

create table changes (
  account_id bigint not null references accounts,
  change_id bigint generated by default as identity,
  monitor_id uuid not null,
  run_id uuid not null,
  told_by uuid not null,
  subject_id bigint not null,
  kind text not null,
  before jsonb not null,
  after jsonb not null,
  request_id bigint,
  at timestamptz not null,
  primary key (account_id, change_id),
  unique (account_id, subject_id, run_id),
  constraint changes_need_an_answer check ((request_id is null) = (kind in ('joined_sitemap', 'left_sitemap')))
);
create index changes_by_monitor on changes (account_id, monitor_id, change_id);
create index changes_by_time on changes (account_id, at);

-- One row per period of equal answers. Wide columns come first, so that a row without `rivals` takes 64 bytes. The free
-- space on each page lets an update of `last_at` stay on its page and write no index.
create table points (
  account_id bigint not null,
  subject_id bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  value smallint,
  flags smallint not null,
  rivals smallint[],
  primary key (account_id, subject_id, first_at),
  check (last_at >= first_at)
) with (fillfactor = 70);

-- Counts of a run, so that a chart reads runs instead of points. json is smaller than jsonb here.
create table run_tallies (
  account_id bigint not null references accounts,
  monitor_id uuid not null,
  at timestamptz not null,
  run_id uuid not null,
  tally json not null,
  groups jsonb,
  primary key (account_id, monitor_id, at, run_id),
  unique (account_id, run_id)
);

-- Time and progress of the last purge of a monitor's history.
create table history_passes (
  account_id bigint not null references accounts,
  monitor_id uuid not null,
  passed_at timestamptz not null default now(),
  after_subject_id bigint not null default 0,
  primary key (account_id, monitor_id)
);
create index history_passes_by_time on history_passes (passed_at);

-- Notes of people in the charts of a monitor, such as a launch or a core update.
create table annotations (
  account_id bigint not null references accounts,
  annotation_id bigint generated by default as identity,
  monitor_id uuid not null,
  at timestamptz(3) not null,
  text text not null check (length(text) between 1 and 500),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, annotation_id)
);
create index annotations_by_monitor on annotations (account_id, monitor_id, at);
