import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table, which old processes do not know.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Who was asked into an account and has not come yet; coming, or taking it back, deletes the row. Found by the
  // hash of its link before any account is known, and therefore local.
  await sql`
    create table invitations (
      account_id bigint not null,
      invitation_id bigint generated always as identity,
      hash bytea not null unique check (length(hash) = 32),
      email text not null check (length(email) between 3 and 254),
      role text not null check (role in ('owner', 'member', 'viewer')),
      invited_by text check (length(invited_by) <= 254),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null check (expires_at > created_at),
      primary key (account_id, invitation_id)
    )`.execute(db);
  await sql`create unique index invitations_by_email on invitations (account_id, lower(email))`.execute(db);
}
