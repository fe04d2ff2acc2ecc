-- A charge or refund has the id of its batch or single check without a foreign key, because the ledger outlives both.
create table ledger_entries (
  account_id bigint not null references accounts,
  entry_no bigint not null check (entry_no > 0),
  kind text not null check (kind in ('grant', 'charge', 'refund', 'adjustment')),
  amount bigint not null check (amount <> 0),
  balance_after bigint not null check (balance_after >= 0),
  batch_id uuid,
  request_id bigint,
  note text check (length(note) <= 1000),
  created_at timestamptz not null default now(),
  primary key (account_id, entry_no),
  check (kind = 'adjustment' or (amount < 0) = (kind = 'charge')),
  check (num_nonnulls(batch_id, request_id) = case when kind in ('charge', 'refund') then 1 else 0 end)
);
create unique index ledger_one_charge_per_batch on ledger_entries (account_id, batch_id)
  where kind = 'charge' and batch_id is not null;
create unique index ledger_one_entry_per_check_and_kind on ledger_entries (account_id, request_id, kind)
  where request_id is not null;
create index ledger_refunds_by_batch on ledger_entries (account_id, batch_id)
  where kind = 'refund' and batch_id is not null;
create index ledger_by_time on ledger_entries (created_at);
-- The credits used on a day are the balance before it, less the balance after it, plus grants. That takes two index
-- look-ups, regardless of the number of entries.
create index ledger_by_account_and_time on ledger_entries (account_id, created_at desc, entry_no desc);
create index ledger_grants on ledger_entries (account_id, created_at) where kind in ('grant', 'adjustment');

create trigger ledger_entry_continues before insert on ledger_entries
  for each row execute function ledger_entry_continues();
create trigger ledger_is_append_only before update or delete on ledger_entries
  for each row execute function ledger_is_append_only();
create trigger ledger_is_never_emptied before truncate on ledger_entries
  for each statement execute function ledger_is_append_only();
-- The owner can grant this back to itself. A wrong statement cannot.
revoke update, delete, truncate on ledger_entries from public, current_user;
