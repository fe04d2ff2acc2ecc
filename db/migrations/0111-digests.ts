import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns without a default, which are added without a look at the rows. Old processes owe
// their digests by the hour until they are gone, for every account; what they owe is sent by new ones as it is.
export async function up(db: Kysely<unknown>): Promise<void> {
  // When on each day, by the clock of which zone, an account is told by mail what its monitors found; both null where
  // that is told with the runs.
  await sql`
    alter table accounts
      add column digest_at text,
      add column digest_timezone text,
      add constraint digest_at_a_time_of_a_zone check ((digest_at is null) = (digest_timezone is null)) not valid,
      add constraint digest_at_is_a_time check (digest_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$') not valid`.execute(
    db,
  );
}
