-- Keeps an account from being closed permanently until the transaction ends; charging or disabling it does not wait.
-- Returns whether it is open. Two statements, because the first one may return the row as it was before it waited.
create or replace function keep_account_open(account bigint) returns boolean language plpgsql as $$
begin
  perform 1 from accounts where account_id = account for key share;
  return exists (select from accounts where account_id = account and disabled_at is null);
end $$;
