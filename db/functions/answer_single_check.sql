-- Settles a single check with its answer. Returns the balance and the time. A check that is already settled raises SE001,
-- so that the whole transaction fails.
create or replace function answer_single_check(
  account bigint, check_id bigint, check_type text, check_input json, answer json,
  out balance bigint, out moment timestamptz
) language plpgsql as $$
begin
  update chunks set settled = 1 where account_id = account and chunk_id = check_id and settled = 0;
  if not found then
    raise exception 'single check % is settled', check_id using errcode = 'SE001';
  end if;
  insert into items (account_id, request_id, type, state, input, outcome)
  values (account, check_id, check_type, 'success', check_input, answer);
  select credits, now() into balance, moment from accounts where account_id = account;
end $$;
