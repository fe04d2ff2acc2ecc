-- Events other than the end of a batch. The body is the same at every attempt.
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
);
create index events_by_time on events (created_at);

-- `event_id` names an event, or the batch whose end is the event. `job_id` is the job of the next attempt.
-- `round_attempts` counts attempts since the delivery was created or last resent, and selects the backoff.
create table deliveries (
  account_id bigint not null references accounts,
  event_id uuid not null,
  url text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  round_attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  job_id uuid,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  ended_at timestamptz,
  primary key (account_id, event_id),
  constraint delivery_round_is_part check (round_attempts between 0 and attempts),
  constraint delivery_ended_or_due check ((state = 'pending') = (ended_at is null)
    and (state = 'pending') = (next_attempt_at is not null))
);
create index deliveries_newest_first on deliveries (account_id, created_at desc, event_id desc);
create index deliveries_due on deliveries (next_attempt_at) where state = 'pending';

-- `status` is null without an HTTP response; `error` then has the reason.
create table attempts (
  account_id bigint not null,
  event_id uuid not null,
  attempt_no integer not null check (attempt_no > 0),
  attempted_at timestamptz not null default now(),
  duration_ms integer not null check (duration_ms >= 0),
  status smallint check (status between 100 and 999),
  error text,
  primary key (account_id, event_id, attempt_no),
  foreign key (account_id, event_id) references deliveries,
  check (num_nonnulls(status, error) = 1)
);
