-- Trigger: the ledger entry of a run must be the charge of the run's batch. A foreign key would lock the entry, which
-- needs the right to update the ledger. The table's owner does not have this right (0003-ledger.sql). One check is
-- enough, because entries never change or disappear.
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
