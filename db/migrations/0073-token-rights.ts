import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns that are null or have a constant default, which rewrites nothing. Old processes
// write none of them: what they make is of nobody, may do everything, and has no end, as all tokens until now. They do
// not know limits either; tokens with limits are made by processes of now alone.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_tokens
      add column user_id bigint,
      add column scope text not null default 'manage' check (scope in ('read', 'check', 'manage')),
      add column expires_at timestamptz,
      add column credits_per_month bigint check (credits_per_month > 0),
      add column is_test boolean not null default false`.execute(db);
  // Whose they are was not written down while an account had one person.
  await sql`
    update api_tokens set user_id = (
      select user_id from users where users.account_id = api_tokens.account_id order by user_id limit 1)`.execute(
    db,
  );
  await sql`create index api_tokens_by_maker on api_tokens (account_id, user_id)`.execute(db);
}
