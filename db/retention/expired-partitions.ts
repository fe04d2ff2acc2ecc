import { sql } from 'kysely';
import { findFaulty } from '../ledger/verification.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import {
  findCurrentBound,
  getRetention,
  idsPerDay,
  list,
  lock,
  type Partition,
  partitionDays,
  partitionedTables,
  type Retention,
} from './partitions.ts';

/**
 * Returns the id below which expired rows are not deleted one by one, because their partition will be dropped soon.
 * Returns 0 if no partition will be dropped soon.
 */
export async function findDropBound(db: Db, table: 'items' | 'history', days: number): Promise<number> {
  const until = (await findCurrentBound(db, table)) - (days - partitionDays(table, days)) * idsPerDay;
  const expiring = (await list(db)).filter((partition) => partition.table === table && partition.to <= until);
  return expiring.at(-1)?.to ?? 0;
}

/**
 * Drops partitions in which all rows have expired, each in its own transaction. Returns their names. Keeps partitions
 * with chunks or items of an account whose ledger has a fault. Throws an error with `isContention` if a table is locked
 * for too long. The next call then drops the remaining partitions.
 */
export async function dropExpired(db: Db, retention: Retention): Promise<string[]> {
  const dropped: string[] = [];
  for (const partition of await listInOrder(db)) {
    if (!(await hasExpired(db, partition, getRetention(partition.table, retention)))) continue;
    await db.transaction().execute((trx) => drop(trx, partition));
    dropped.push(partition.name);
  }
  return dropped;
}

/**
 * Returns partitions in the order of dropping. Chunks come first, because the ledger verification needs the item of
 * each chunk of a single check.
 */
async function listInOrder(db: Db): Promise<Partition[]> {
  const all = await list(db);
  return Object.keys(partitionedTables).flatMap((one) => all.filter(({ table }) => table === one));
}

async function hasExpired(db: Db, partition: Partition, days: number): Promise<boolean> {
  const { table, from, to } = partition;
  if (to > (await findCurrentBound(db, table)) - days * idsPerDay) return false;
  // `history` is partitioned by the time that also decides how long rows are kept.
  if (table === 'history') return true;
  return (
    !(await hasKeptBatch(db, partition)) &&
    !(await hasFaultyAccount(db, partition)) &&
    (table === 'chunks' ? !(await hasKeptChunk(db, partition, days)) : !(await hasChunks(db, from, to)))
  );
}

async function hasKeptBatch(db: Db, { from, to }: Partition): Promise<boolean> {
  const { rows } = await sql`
    select account_id from batches
    where purged_at is null and first_request_id < ${to}
      and first_request_id > ${from - 2000} and first_request_id + total > ${from}
    limit 1`.execute(db);
  return rows.length > 0;
}

async function hasFaultyAccount(db: Db, { name }: Partition): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(name)} where account_id = any(${await findFaulty(db)}::bigint[]) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

async function hasKeptChunk(db: Db, { name }: Partition, days: number): Promise<boolean> {
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
