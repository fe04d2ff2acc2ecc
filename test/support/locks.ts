import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/postgres/connect.ts';
import { eventually } from './eventually.ts';

/** Returns the number of statements that wait for a lock. `like`: a pattern for their text. */
export async function countWaiting(db: Db, like = '%'): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${like}`.execute(db);
  return rows.length;
}

/** Waits until `count` statements wait for a lock. */
export function untilWaiting(db: Db, count: number, like?: string): Promise<true> {
  return eventually(async () => ((await countWaiting(db, like)) >= count ? true : null));
}

/**
 * Holds a lock until an act waits for it, and then a second act waits too. Returns the results of both, which end after
 * the lock was released.
 */
export async function collide<A, B>(
  db: Db,
  lock: RawBuilder<unknown>,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const begun = await db.transaction().execute(async (trx) => {
    await lock.execute(trx);
    const one = first();
    await untilWaiting(db, 1);
    const other = second();
    await untilWaiting(db, 2);
    return { one, other };
  });
  return Promise.all([begun.one, begun.other]);
}
