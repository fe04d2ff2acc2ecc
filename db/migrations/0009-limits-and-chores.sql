-- Requests per account and window; `expire` is the end of the window in Unix milliseconds. rate-limiter-flexible
-- defines the columns and their order. Unlogged: after a crash every window begins again.
create unlogged table rate_limits (
  key text primary key,
  points integer not null,
  expire bigint not null
) with (fillfactor = 50);

-- Unbilled work of an account, which decays with time. `weight` is its amount at `changed_at`.
create unlogged table allowances (
  account_id bigint primary key,
  weight double precision not null check (weight >= 0),
  changed_at timestamptz not null default now()
) with (fillfactor = 50);

-- Periodic work that one process does for all: the time of the last run, and its result.
create table chores (
  chore text primary key,
  done_at timestamptz not null default now(),
  result jsonb
);
