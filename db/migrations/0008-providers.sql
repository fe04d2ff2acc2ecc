-- Slots for calls to a provider, shared by all processes. A slot of a crashed process is free again when it expires.
create unlogged table provider_leases (
  provider text not null,
  slot integer not null check (slot > 0),
  holder uuid,
  expires_at timestamptz not null default '-infinity',
  primary key (provider, slot)
) with (fillfactor = 50);

-- Calls, paid result pages and answered checks.
create table provider_usage (
  provider text not null,
  day date not null,
  calls bigint not null check (calls >= 0),
  pages bigint not null default 0 check (pages >= 0),
  answers bigint not null default 0 check (answers >= 0),
  primary key (provider, day)
);
