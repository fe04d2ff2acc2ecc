import { type RawBuilder, type SelectQueryBuilder, type StringReference, sql } from 'kysely';
import type { DB } from '../tables.ts';
import type { Db } from './connect.ts';

/** Page of a list, by offset or after a row. With `after`, each page is as fast as the first page. */
export interface PageParams<After> {
  limit: number;
  offset?: number;
  after?: After;
}

/**
 * Counts rows up to `max`. `ordered` must have the order of the list, because Postgres would otherwise scan the table.
 */
export async function countUpTo<TB extends keyof DB, O>(
  db: Db,
  ordered: SelectQueryBuilder<DB, TB, O>,
  max: number,
): Promise<number> {
  const some = ordered.select(sql<number>`1`.as('one')).limit(max);
  const { rows } = await db
    .selectFrom(some.as('some'))
    .select(sql<number>`count(*)`.as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}

/** Orders by a time and a unique id, newest first, and starts after a row. */
export function newestFirst<TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  [time, id]: [StringReference<DB, TB>, StringReference<DB, TB>],
  after: [Date, RawBuilder<unknown> | string | number] | undefined,
): SelectQueryBuilder<DB, TB, O> {
  const ordered = query.orderBy(time, 'desc').orderBy(id, 'desc');
  if (!after) return ordered;
  return ordered.where(sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${after[0]}, ${after[1]})`);
}
