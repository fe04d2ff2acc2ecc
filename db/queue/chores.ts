import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

/**
 * Claims a chore if the chore is due by the clock of Postgres. Returns true to one process only, which must then run
 * the chore. If the process crashes, the chore is due again after the usual time.
 */
export async function claim(db: Db, chore: string, everySeconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into chores (chore) values (${chore})
    on conflict (chore) do update set done_at = now()
    where chores.done_at <= now() - ${everySeconds} * interval '1 second'
    returning chore`.execute(db);
  return rows.length > 0;
}

/** Returns the seconds since a chore was last claimed; null if the chore was never claimed. */
export async function secondsSince(db: Db, chore: string): Promise<number | null> {
  const row = await db
    .selectFrom('chores')
    .select(sql<number>`extract(epoch from now() - done_at)::float8`.as('seconds'))
    .where('chore', '=', chore)
    .executeTakeFirst();
  return row?.seconds ?? null;
}

/** Records that a chore is still running, so that it is not due for other processes. */
export async function renew(db: Db, chore: string): Promise<void> {
  await db.updateTable('chores').set({ doneAt: sql`now()` }).where('chore', '=', chore).execute();
}

/** Stores the result or progress of a chore for all processes, and renews the chore. */
export async function saveResult(db: Db, chore: string, result: object): Promise<void> {
  await db
    .updateTable('chores')
    .set({ result: JSON.stringify(result), doneAt: sql`now()` })
    .where('chore', '=', chore)
    .execute();
}

/** Returns the last result of a chore; null before the first result. */
export async function findResult(db: Db, chore: string): Promise<unknown> {
  const row = await db.selectFrom('chores').select('result').where('chore', '=', chore).executeTakeFirst();
  return row?.result ?? null;
}
