import { type Kysely, sql } from 'kysely';

// Safe on a running system: old processes name the charge that they made in the same transaction, as this asks for. A
// foreign key is gone for a trigger; that takes both tables for a moment, and waits no longer than a migration may.
export async function up(db: Kysely<unknown>): Promise<void> {
  // A foreign key locks the row that it names, for which the ledger's owner needs the right to update it. That was
  // taken from it, so that only a superuser's runs began. Entries neither change nor go: being there is enough.
  await sql`
    create function run_names_its_charge() returns trigger language plpgsql as $$
    begin
      perform from ledger_entries
      where account_id = new.account_id and entry_no = new.entry_no and kind = 'charge' and batch_id = new.batch_id;
      if not found then
        raise exception 'run % names no charge of its batch', new.run_id
          using errcode = 'foreign_key_violation', constraint = 'run_names_its_charge';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger run_names_its_charge before insert or update of entry_no, batch_id on monitor_runs
    for each row when (new.entry_no is not null) execute function run_names_its_charge()`.execute(db);
  await sql`alter table monitor_runs drop constraint monitor_runs_account_id_entry_no_fkey`.execute(db);
}
