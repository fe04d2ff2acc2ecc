-- Prevents an account from being closed permanently until the transaction ends. It can still be charged or disabled.
-- Returns whether it is open. Two statements, because the first one may return the row as it was before the wait.
create or replace function keep_account_open(account bigint) returns boolean language plpgsql as $$
begin
  perform 1 from accounts where account_id = account for key share;
  return exists (select from accounts where account_id = account and disabled_at is null);
end $$;
