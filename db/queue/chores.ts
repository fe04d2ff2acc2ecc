import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

/**
 * Returns true to one process each time a chore is due, which must then do it. When that process dies, the chore is due
 * again after the usual time. Postgres's clock decides.
 */
export async function claim(db: Db, chore: string, everySeconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into chores (chore) values (${chore})
    on conflict (chore) do update set done_at = now()
    where chores.done_at <= now() - ${everySeconds} * interval '1 second'
    returning chore`.execute(db);
  return rows.length > 0;
}

/** How long ago a chore was claimed last, in seconds; null when it never was. */
export async function secondsSince(db: Db, chore: string): Promise<number | null> {
  const row = await db
    .selectFrom('chores')
    .select(sql<number>`extract(epoch from now() - done_at)::float8`.as('seconds'))
    .where('chore', '=', chore)
    .executeTakeFirst();
  return row?.seconds ?? null;
}

/** Records that a chore goes on, so that it is not due for other processes. */
export async function renew(db: Db, chore: string): Promise<void> {
  await db.updateTable('chores').set({ doneAt: sql`now()` }).where('chore', '=', chore).execute();
}

/** Stores what a chore found, or how far it has come, for all processes. Its time until it is due begins again. */
export async function noteResult(db: Db, chore: string, result: object): Promise<void> {
  await db
    .updateTable('chores')
    .set({ result: JSON.stringify(result), doneAt: sql`now()` })
    .where('chore', '=', chore)
    .execute();
}

/** What a chore found last; null when it has not run yet. */
export async function lastResult(db: Db, chore: string): Promise<unknown> {
  const row = await db.selectFrom('chores').select('result').where('chore', '=', chore).executeTakeFirst();
  return row?.result ?? null;
}
