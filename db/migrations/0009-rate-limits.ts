import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new table only.
export async function up(db: Kysely<unknown>): Promise<void> {
  // The columns and their order are those that rate-limiter-flexible writes by place: requests counted in a window, and
  // the window's end in Unix milliseconds. A crash of Postgres may empty it: everyone then begins a new window.
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      points integer not null,
      expire bigint not null
    ) with (fillfactor = 50)`.execute(db);
}
