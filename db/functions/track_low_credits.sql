-- Trigger: sets `low_since`, the time when the balance fell below the alert threshold.
create or replace function track_low_credits() returns trigger language plpgsql as $$
begin
  if new.alert_threshold is null or new.credits >= new.alert_threshold then
    new.low_since := null;
    new.low_told_at := null;
  elsif new.low_since is null then
    new.low_since := now();
  end if;
  return new;
end $$;
