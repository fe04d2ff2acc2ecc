-- Returns true if the account is open. Until the transaction ends, the account cannot be closed permanently. The lock
-- does not block concurrent charges. A second statement reads the row, because the first statement may return the row
-- as it was before the wait for the lock.
create or replace function keep_account_open(account bigint) returns boolean language plpgsql as $$
begin
  perform 1 from accounts where account_id = account for key share;
  return exists (select from accounts where account_id = account and disabled_at is null);
end $$;
