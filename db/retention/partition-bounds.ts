/**
 * Which tables are in partitions, and where one ends: at an id, of which so many come into use in a day, or at the
 * moment when they had come so far.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/**
 * Tables in partitions, by the column that says in which; those of chunks go before those of their items. The history
 * goes by the moments that its pages are ordered by: Postgres reads the newest partition first, and no other when the
 * page is full.
 */
export const partitionedTables = { chunks: 'chunk_id', items: 'request_id', history: 'checked_at' } as const;

export type PartitionedTable = keyof typeof partitionedTables;

/** So many ids belong to a day. */
export const idsPerDay = 86_400 * 10_000;

/** An id as a table's bound, which may be a moment. */
export function boundAt(table: PartitionedTable, id: number): RawBuilder<unknown> {
  return sql.lit(isByTime(table) ? new Date(id / 10).toISOString() : id);
}

/** The id that a bound is at, of Postgres's own words for it: 0 for the one below all. */
export function idOf(bound: RawBuilder<unknown>): RawBuilder<number> {
  return sql`case when ${bound} = 'MINVALUE' then 0 when ${bound} ~ '^\\d+$' then ${bound}::bigint
    else (extract(epoch from ${bound}::timestamptz) * 10000)::bigint end`;
}

/** Where a table is now, as its bounds have it: a row that is written now is near it. */
export async function placeOf(db: Db | Trx, table: PartitionedTable): Promise<number> {
  if (!isByTime(table)) return currentId(db);
  const { rows } = await sql<{ id: number }>`
    select floor(extract(epoch from now()) * 10000)::bigint as id`.execute(db);
  return rows[0]?.id ?? 0;
}

function isByTime(table: PartitionedTable): boolean {
  return partitionedTables[table] === 'checked_at';
}

/** The id that a process would begin with now. */
export async function currentId(db: Db | Trx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select greatest(last_value, floor(extract(epoch from now()) * 10000))::bigint as id from request_ids`.execute(
    db,
  );
  return rows[0]?.id ?? 0;
}

/** The day (UTC) of an id, as the names of partitions have it: `20261122`. */
export function dayOf(id: number): string {
  return new Date(id / 10).toISOString().slice(0, 10).replaceAll('-', '');
}
