-- Charges a batch that this transaction has inserted. Assigns jobs to the next waiting chunks of the account
-- (fill_job_window). If the account has fewer credits than `price`, returns a null balance and writes nothing. A test
-- batch has price 0. Call this late in the transaction, because it locks the account row.
create or replace function charge_new_batch(of_account bigint, of_batch uuid, price integer, of_type text,
  chunk_count integer, window_size integer, out balance bigint, out entry bigint, out jobs json)
language plpgsql as $$
begin
  if price > 0 then
    select moved.entry, moved.balance into entry, balance
    from move_credits(of_account, 'charge', -price, of_batch, null, null) as moved;
    if balance is null then
      return;
    end if;
  else
    select credits into balance from accounts where account_id = of_account;
  end if;
  if chunk_count > 0 then
    jobs := fill_job_window(of_account, of_type, window_size);
  end if;
end $$;
