import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns without a default, which are added without a look at the rows, and a trigger
// that does nothing for accounts without a threshold, which all are until a process of now sets one. Old processes
// charge as they did, and what they charge is noticed too.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Below which balance the account wants to be told, and where besides by mail; since when it is below, and whether
  // that was told. Whoever moves credits notes it in the same transaction, whatever statement moved them.
  await sql`
    alter table accounts
      add column alert_threshold bigint check (alert_threshold between 1 and 1000000000000),
      add column alert_url text check (length(alert_url) between 1 and 2048),
      add column low_since timestamptz,
      add column low_told_at timestamptz,
      add constraint low_is_told_of_what_is_low check (low_told_at is null or low_since is not null) not valid`.execute(
    db,
  );
  await sql`
    create function note_low_credits() returns trigger language plpgsql as $$
    begin
      if new.alert_threshold is null or new.credits >= new.alert_threshold then
        new.low_since := null;
        new.low_told_at := null;
      elsif new.low_since is null then
        new.low_since := now();
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger accounts_low before update of credits, alert_threshold on accounts
    for each row when (new.alert_threshold is not null or old.alert_threshold is not null)
    execute function note_low_credits()`.execute(db);
}
