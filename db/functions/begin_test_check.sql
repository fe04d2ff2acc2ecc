-- Stores a single check of a test token as a chunk with one input. Charges nothing. Locks the account row, so that
-- `in_flight` is exact. `in_flight` counts test checks only. Returns a null balance if the account is closed.
create or replace function begin_test_check(
  account bigint, check_id bigint, check_type text, check_inputs json, out balance bigint, out in_flight integer
) language plpgsql as $$
declare
  a_day constant bigint := 86400 * 10000;
begin
  select credits into balance from accounts
  where account_id = account and disabled_at is null for no key update;
  if not found then
    return;
  end if;
  insert into chunks (account_id, chunk_id, type, size, inputs, is_test)
  values (account, check_id, check_type, 1, check_inputs, true);
  select count(*) into in_flight from chunks
  where account_id = account and batch_id is null and settled < size and is_test
    and chunk_id between check_id - a_day and check_id + a_day;
end $$;
