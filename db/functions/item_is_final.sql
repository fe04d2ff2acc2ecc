-- Trigger: an item is never updated.
create or replace function item_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'item % has its outcome', old.request_id;
end $$;
