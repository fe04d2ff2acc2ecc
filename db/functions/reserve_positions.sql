-- Reserves the next `positions` queue positions of an account and returns the first. They begin where the queue is, so an
-- account that waited long has saved nothing up, and after the account's own last one, so a large batch stands behind
-- itself and not before others (docs/batches.md).
create or replace function reserve_positions(account bigint, of_queue text, positions integer)
returns bigint language plpgsql as $$
declare
  serving bigint := now_serving(of_queue);
  first bigint;
begin
  insert into turns (account_id, queue, next_turn) values (account, of_queue, serving + positions)
  on conflict (account_id, queue) do update
    set next_turn = greatest(turns.next_turn, excluded.next_turn - positions) + positions
  returning next_turn - positions into first;
  return first;
end $$;
