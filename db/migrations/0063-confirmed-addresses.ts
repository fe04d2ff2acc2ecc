import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns without a default to compute, which are added without a look at the rows. Old
// processes neither read nor write them; whom they sign up has proved no address and gets his credits at once, as
// before.
export async function up(db: Kysely<unknown>): Promise<void> {
  // When a person proved by a mail that the address is theirs, null until then; and the credits that the account they
  // signed up for gets at that moment.
  await sql`
    alter table users
      add column email_confirmed_at timestamptz,
      add column credits_at_confirmation bigint not null default 0 check (credits_at_confirmation >= 0)`.execute(
    db,
  );
}
