import { sql } from 'kysely';
import { findFaulty } from '../ledger/proofs.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import {
  type DaysOf,
  idsPerDay,
  list,
  lock,
  type Partition,
  partitionedTables,
  placeOf,
  spanOf,
} from './partitions.ts';

/**
 * Up to which id, or the moment of which, what has expired goes with its partition within a span of one, and is not
 * deleted row by row: 0 where there is no such partition.
 */
export async function leftToPartitions(
  db: Db | Trx,
  table: 'items' | 'history',
  days: number,
): Promise<number> {
  const until = (await placeOf(db, table)) - (days - spanOf(table, days)) * idsPerDay;
  const leaving = (await list(db)).filter((partition) => partition.table === table && partition.to <= until);
  return leaving.at(-1)?.to ?? 0;
}

/**
 * Drops the partitions in which everything has been kept long enough. Returns their names. One with chunks or items of
 * an account whose ledger has a fault stays. Each is dropped in a transaction of its own. Errors: isContention when
 * others hold a table for too long; the rest is then left to the next call.
 */
export async function dropExpired(db: Db, kept: DaysOf): Promise<string[]> {
  const dropped: string[] = [];
  for (const partition of await inOrder(db)) {
    if (!(await hasExpired(db, partition, kept[partition.table]))) continue;
    await db.transaction().execute((trx) => drop(trx, partition));
    dropped.push(partition.name);
  }
  return dropped;
}

/** Those of chunks first: a single check without its item would be one that does not add up. */
async function inOrder(db: Db): Promise<Partition[]> {
  const all = await list(db);
  return Object.keys(partitionedTables).flatMap((one) => all.filter(({ table }) => table === one));
}

async function hasExpired(db: Db, partition: Partition, days: number): Promise<boolean> {
  const { table, from, to } = partition;
  if (to > (await placeOf(db, table)) - days * idsPerDay) return false;
  // Its bounds are the moments that its rows are kept by.
  if (table === 'history') return true;
  return (
    !(await isKeptByBatch(db, partition)) &&
    !(await isKeptByFault(db, partition)) &&
    (table === 'chunks' ? !(await isKeptByChunk(db, partition, days)) : !(await hasChunks(db, from, to)))
  );
}

async function isKeptByBatch(db: Db, { from, to }: Partition): Promise<boolean> {
  const { rows } = await sql`
    select account_id from batches
    where purged_at is null and first_request_id < ${to}
      and first_request_id > ${from - 2000} and first_request_id + total > ${from}
    limit 1`.execute(db);
  return rows.length > 0;
}

async function isKeptByFault(db: Db, { name }: Partition): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(name)} where account_id = any(${await findFaulty(db)}::bigint[]) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

async function isKeptByChunk(db: Db, { name }: Partition, days: number): Promise<boolean> {
  const { rows } = await sql`
    (select chunk_id from ${sql.table(name)} where settled < size limit 1)
    union all
    (select chunk_id from ${sql.table(name)}
      where batch_id is null and created_at >= now() - ${days} * interval '1 day' limit 1)`.execute(db);
  return rows.length > 0;
}

async function hasChunks(db: Db, from: number, to: number): Promise<boolean> {
  const { rows } = await sql`
    select chunk_id from chunks where chunk_id >= ${from} and chunk_id < ${to} limit 1`.execute(db);
  return rows.length > 0;
}

async function drop(trx: Trx, { table, name }: Partition): Promise<void> {
  await lock(trx, table, { references: 'removed' });
  await sql`drop table ${sql.table(name)}`.execute(trx);
}
