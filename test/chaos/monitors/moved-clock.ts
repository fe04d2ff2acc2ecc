import { sql } from 'kysely';
import type { ChaosDatabase } from '../database.ts';

/** Puts a `clock()` that can be moved in the place of the database's; it goes on by itself. */
export async function makeMovable({ db }: ChaosDatabase): Promise<void> {
  await sql`create table clock_ahead (by interval not null)`.execute(db);
  await sql`insert into clock_ahead values ('0')`.execute(db);
  await sql`grant select on clock_ahead to public`.execute(db);
  await sql`
    create or replace function clock() returns timestamptz language sql stable
    as 'select now() + by from public.clock_ahead'`.execute(db);
}

/** Moves it forward to a moment. */
export async function moveTo({ db }: ChaosDatabase, moment: Date): Promise<void> {
  await sql`update clock_ahead set by = greatest(by, ${moment}::timestamptz - now())`.execute(db);
}

/**
 * Lets the chore of monitors be due whenever a process looks, so that several do it one after the other and at once. A
 * process looks every 15 seconds from its start.
 */
export async function letAnyoneLook({ db }: ChaosDatabase): Promise<void> {
  await sql`delete from chores where chore = 'monitors'`.execute(db);
}

/** Who is starting runs at this moment, by the name that the run gave it; null when nobody is seen at it. */
export async function whoStarts({ db }: ChaosDatabase): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select application_name as name from pg_stat_activity
    where usename = 'sonde' and application_name like '%-%' and state <> 'idle'
      and (query ilike '%monitors%' or query ilike '%monitor_runs%' or query ilike '%subjects%'
        or xact_start is not null)
    order by xact_start desc nulls last limit 1`.execute(db);
  return rows[0]?.name ?? null;
}
