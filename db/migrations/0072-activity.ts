import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table, which old processes do not know; what they do is not noted.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Who did what in an account, when and from where. Names stand as they were then: who changes his address, leaves or
  // is erased was still called so. Beside the members, with whom it is written, and therefore local.
  await sql`
    create table activity (
      account_id bigint not null,
      activity_id bigint generated always as identity,
      noted_at timestamptz(3) not null default now(),
      what text not null check (what ~ '^[a-z][a-z_]{0,49}$'),
      user_id bigint,
      email text check (length(email) <= 254),
      token_id bigint,
      token_name text check (length(token_name) <= 100),
      address text check (length(address) <= 64),
      about text check (length(about) <= 300),
      primary key (account_id, activity_id)
    )`.execute(db);
  await sql`
    create index activity_newest_first on activity (account_id, noted_at desc, activity_id desc)`.execute(db);
  await sql`create index activity_by_time on activity (noted_at)`.execute(db);
}
