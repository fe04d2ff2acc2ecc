import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only.
export async function up(db: Kysely<unknown>): Promise<void> {
  // A charge or refund names the batch or the single check it is for, as a plain value: the ledger outlives both.
  await sql`
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
    )`.execute(db);
  await sql`
    create unique index ledger_one_charge_per_batch on ledger_entries (account_id, batch_id)
    where kind = 'charge' and batch_id is not null`.execute(db);
  await sql`
    create unique index ledger_one_entry_per_check_and_kind on ledger_entries (account_id, request_id, kind)
    where request_id is not null`.execute(db);
  await sql`create index ledger_by_time on ledger_entries (created_at)`.execute(db);

  // Each entry goes on from the one before it, so that the story of an account cannot have a gap or a jump.
  await sql`
    create function ledger_entry_continues() returns trigger language plpgsql as $$
    declare
      balance_before bigint;
    begin
      select balance_after into balance_before from ledger_entries
      where account_id = new.account_id and entry_no = new.entry_no - 1;
      if not found and new.entry_no > 1 then
        raise exception 'ledger entry % of account % has no predecessor', new.entry_no, new.account_id;
      end if;
      if new.balance_after <> coalesce(balance_before, 0) + new.amount then
        raise exception 'ledger entry % of account % does not continue the balance', new.entry_no, new.account_id;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger ledger_entry_continues before insert on ledger_entries
    for each row execute function ledger_entry_continues()`.execute(db);

  await sql`
    create function ledger_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only';
    end $$`.execute(db);
  await sql`
    create trigger ledger_is_append_only before update or delete on ledger_entries
    for each row execute function ledger_is_append_only()`.execute(db);
  await sql`
    create trigger ledger_is_never_emptied before truncate on ledger_entries
    for each statement execute function ledger_is_append_only()`.execute(db);
  // The owner may grant this back to itself; it takes intent, which a wrong statement has not.
  await sql`revoke update, delete, truncate on ledger_entries from public, current_user`.execute(db);
}
