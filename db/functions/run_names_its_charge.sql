-- Trigger: the ledger entry of a run is the charge of its batch. A foreign key would need the right to update the
-- ledger, because it locks the row; the table's owner has no such right (0003-ledger.sql). Entries never change or
-- disappear, so checking once is enough.
create or replace function run_names_its_charge() returns trigger language plpgsql as $$
begin
  perform from ledger_entries
  where account_id = new.account_id and entry_no = new.entry_no and kind = 'charge' and batch_id = new.batch_id;
  if not found then
    raise exception 'run % names no charge of its batch', new.run_id
      using errcode = 'foreign_key_violation', constraint = 'run_names_its_charge';
  end if;
  return new;
end $$;
