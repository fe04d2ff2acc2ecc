import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table, filled while nobody makes a user, and a trigger. Old processes know neither:
// they let every user into the account that the user began with, and whoever they sign up becomes its owner by the
// trigger. Nobody is invited before a process of now is there to do it.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Who may act in an account, as what. Found by the user as well as by the account, and therefore local.
  await sql`
    create table memberships (
      account_id bigint not null,
      user_id bigint not null references users on delete cascade,
      role text not null check (role in ('owner', 'member', 'viewer')),
      created_at timestamptz not null default now(),
      primary key (account_id, user_id)
    )`.execute(db);
  await sql`create index memberships_by_user on memberships (user_id)`.execute(db);

  await sql`
    create function own_first_account() returns trigger language plpgsql as $$
    begin
      insert into memberships (account_id, user_id, role) values (new.account_id, new.user_id, 'owner')
      on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger own_first_account after insert on users
    for each row execute function own_first_account()`.execute(db);

  // After the trigger, whose making waits for those who sign up and keeps new ones waiting.
  await sql`
    insert into memberships (account_id, user_id, role, created_at)
    select account_id, user_id, 'owner', created_at from users`.execute(db);
}
