-- Charges a single check and stores the check as a chunk with one input. A check with an AI Overview costs 2 credits.
-- `spender` is set if the charge counts against a token's monthly limit. If the account has too few credits or is
-- closed, returns a null balance and writes nothing. `in_flight` is exact: the count starts after the account row is
-- locked, and sees all checks that were committed earlier (read committed).
create or replace function charge_single_check(
  account bigint, check_id bigint, check_type text, check_inputs json, spender bigint, out balance bigint, out in_flight integer
) language plpgsql as $$
declare
  entry bigint;
  price integer := 1 + coalesce((check_inputs->0->'input'->'include')::jsonb ? 'ai_overview', false)::int;
  a_day constant bigint := 86400 * 10000;
begin
  update accounts set credits = credits - price, entries = entries + 1
  where account_id = account and credits >= price and disabled_at is null
  returning credits, entries into balance, entry;
  if not found then
    return;
  end if;
  insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, request_id)
  values (account, entry, 'charge', -price, balance, check_id);
  insert into chunks (account_id, chunk_id, type, size, inputs, token_id)
  values (account, check_id, check_type, 1, check_inputs, spender);
  -- Ids grow by 10,000 a second. A process uses a block of ids for at most an hour. So the ids of checks in flight are
  -- less than a day apart. The range limits the query to the partition of these ids.
  select count(*) into in_flight from chunks
  where account_id = account and batch_id is null and settled < size and not is_test
    and chunk_id between check_id - a_day and check_id + a_day;
end $$;
