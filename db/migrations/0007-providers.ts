import { type Kysely, sql } from 'kysely';

// Safe on a running system: new tables only.
export async function up(db: Kysely<unknown>): Promise<void> {
  // A place for one call at a provider, over all processes. Whoever dies with it loses it when it expires.
  await sql`
    create unlogged table provider_leases (
      provider text not null,
      slot integer not null check (slot > 0),
      holder uuid,
      expires_at timestamptz not null default '-infinity',
      primary key (provider, slot)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table provider_usage (
      provider text not null,
      day date not null,
      calls bigint not null check (calls >= 0),
      primary key (provider, day)
    )`.execute(db);
}
