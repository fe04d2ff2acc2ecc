-- Changes the balance of an account and writes the ledger entry. If the balance would become negative or the account
-- does not exist, returns nulls and writes nothing. Two calls cannot spend the same credit, because an update that
-- waited for the row reads the row again. Does not check whether the account is open. Callers must check this in the
-- same transaction.
create or replace function move_credits(
  account bigint, entry_kind text, by_amount bigint, of_batch uuid, of_check bigint, entry_note text,
  out entry bigint, out balance bigint
) language plpgsql as $$
begin
  update accounts set credits = credits + by_amount, entries = entries + 1
  where account_id = account and credits + by_amount >= 0
  returning entries, credits into entry, balance;
  if not found then
    return;
  end if;
  insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, batch_id, request_id, note)
  values (account, entry, entry_kind, by_amount, balance, of_batch, of_check, entry_note);
end $$;
