import { type RawBuilder, type SelectQueryBuilder, type StringReference, sql } from 'kysely';
import type { DB } from '../tables.ts';
import type { Db } from './connect.ts';

/** A page of a list: by its number, or on from a row at the cost of the first page. */
export interface Window<After> {
  limit: number;
  offset?: number;
  after?: After;
}

/**
 * Counts rows up to `max`, in the order of the list: without one Postgres reads the table from its beginning.
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

/** Newest first by a time and an id that makes it unique, on from after `after`. */
export function newestFirst<TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  [time, id]: [StringReference<DB, TB>, StringReference<DB, TB>],
  after: [Date, RawBuilder<unknown> | string | number] | undefined,
): SelectQueryBuilder<DB, TB, O> {
  const ordered = query.orderBy(time, 'desc').orderBy(id, 'desc');
  if (!after) return ordered;
  return ordered.where(sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${after[0]}, ${after[1]})`);
}
