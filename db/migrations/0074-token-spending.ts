import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table, which old processes neither read nor write. What they charge by a token with a
// limit is not counted, and such tokens are made by processes of now alone.
export async function up(db: Kysely<unknown>): Promise<void> {
  // What was charged by tokens that have a limit, by months of UTC. A refund does not give it back.
  await sql`
    create table token_spending (
      token_id bigint not null references api_tokens on delete cascade,
      month date not null,
      credits bigint not null check (credits >= 0),
      primary key (token_id, month)
    )`.execute(db);
}
