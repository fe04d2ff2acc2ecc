-- Settles a single check with its answer. Inserts the item. Also inserts the history point if `history_series` is not
-- null, and the results if `found_results` is not null. Returns the balance and the time. If the check is already
-- settled, raises SE001, and the whole transaction fails.
create or replace function answer_single_check(
  account bigint, check_id bigint, check_type text, check_input json, answer json, history_series bytea,
  history_is_indexed boolean, history_rank integer, found_results json,
  out balance bigint, out moment timestamptz
) language plpgsql as $$
begin
  update chunks set settled = 1 where account_id = account and chunk_id = check_id and settled = 0;
  if not found then
    raise exception 'single check % is settled', check_id using errcode = 'SE001';
  end if;
  insert into items (account_id, request_id, type, state, input, outcome)
  values (account, check_id, check_type, 'success', check_input, answer);
  if history_series is not null then
    insert into history (account_id, request_id, type, state, input, series, is_indexed, rank)
    values (account, check_id, check_type, 'success', check_input, history_series, history_is_indexed, history_rank);
  end if;
  if found_results is not null then
    insert into result_pages (account_id, request_id, results) values (account, check_id, found_results);
  end if;
  select credits, now() into balance, moment from accounts where account_id = account;
end $$;
