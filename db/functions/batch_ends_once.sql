-- Trigger: the counters of a batch never decrease, and the result of an ended batch never changes.
create or replace function batch_ends_once() returns trigger language plpgsql as $$
begin
  if new.successful < old.successful or new.failed < old.failed then
    raise exception 'the counters of batch % cannot decrease', old.batch_id;
  end if;
  if old.completed_at is not null
    and (new.status, new.total, new.skipped, new.successful, new.failed, new.completed_at, new.canceled_at)
    is distinct from
    (old.status, old.total, old.skipped, old.successful, old.failed, old.completed_at, old.canceled_at) then
    raise exception 'batch % has ended', old.batch_id;
  end if;
  return new;
end $$;
