-- Trigger: the number of an entry is the number of the previous entry plus 1. Its balance is the previous balance plus
-- its amount. An account's ledger therefore has no gaps.
create or replace function ledger_entry_continues() returns trigger language plpgsql as $$
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
end $$;
