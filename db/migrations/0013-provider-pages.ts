import { type Kysely, sql } from 'kysely';

// Safe on a running system: columns with a constant default, which old processes neither read nor write.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Pages of results that were paid for, and the checks they answered.
  await sql`
    alter table provider_usage
      add column pages bigint not null default 0 check (pages >= 0),
      add column answers bigint not null default 0 check (answers >= 0)`.execute(db);
}
