import { type Kysely, sql } from 'kysely';

// Safe on a running system: new tables, and indexes on tables that nobody fills yet at a first release.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Tries to sign in or up, counted by rate-limiter-flexible, whose shape this is. Losing them in a crash gives
  // somebody a few more tries.
  await sql`
    create unlogged table sign_in_tries (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    ) with (fillfactor = 50)`.execute(db);

  // A key that signs its holder in once, printed by whoever starts the service.
  await sql`
    create table sign_in_links (
      hash bytea primary key check (length(hash) = 32),
      user_id bigint not null references users on delete cascade,
      created_at timestamptz not null default now()
    )`.execute(db);

  // The first screen asks for these again and again.
  await sql`
    create index batches_open on batches (account_id, created_at desc, batch_id desc)
    where completed_at is null`.execute(db);

  // Credits used on a day are the balance before it less the balance after it plus what was granted: two looks into
  // an index, however many entries the day has.
  await sql`
    create index ledger_by_account_and_time on ledger_entries (account_id, created_at desc, entry_no desc)`.execute(
    db,
  );
  await sql`
    create index ledger_grants on ledger_entries (account_id, created_at)
    where kind in ('grant', 'adjustment')`.execute(db);
}
