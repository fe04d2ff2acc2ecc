/** Which tables are in partitions, and where one ends: at an id, of which so many come into use in a day. */
import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';

/** Tables in partitions, by the column that says in which; those of chunks go before those of their items. */
export const partitionedTables = { chunks: 'chunk_id', items: 'request_id' } as const;

export type PartitionedTable = keyof typeof partitionedTables;

/** So many ids belong to a day. */
export const idsPerDay = 86_400 * 10_000;

/** Where a partition begins and ends, of Postgres's own words for it. */
export function boundsIn(bounds: string): { from: number; to: number } {
  const [, from, to] = /^FOR VALUES FROM \((.*)\) TO \((.*)\)$/.exec(bounds) ?? [];
  return { from: from === 'MINVALUE' ? 0 : numberIn(from), to: numberIn(to) };
}

function numberIn(bound = ''): number {
  const digits = bound.replaceAll("'", '');
  if (!/^\d+$/.test(digits)) throw new Error(`A partition ends in a way that nobody here made: ${bound}`);
  return Number(digits);
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
