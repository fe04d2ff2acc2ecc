import { type Kysely, sql } from 'kysely';

// Safe on a running system: new tables only.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table queues (
      queue text primary key,
      now_serving bigint not null default 0 check (now_serving >= 0)
    )`.execute(db);
  await sql`
    create table turns (
      account_id bigint not null references accounts,
      queue text not null,
      next_turn bigint not null check (next_turn >= 0),
      primary key (account_id, queue)
    )`.execute(db);

  // What some process does now and then for all of them: when it was last done, and what came of it.
  await sql`
    create table chores (
      chore text primary key,
      done_at timestamptz not null default now(),
      result jsonb
    )`.execute(db);
}
