/**
 * `items` and `chunks` are kept in partitions by ranges of request ids, which keep up with the clock: 10,000 to a
 * second (`request-ids.ts`). So what was checked in a week is together, statements that name ids look there alone,
 * and what has expired goes as a whole.
 */
import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';
import {
  boundsIn,
  currentId,
  dayOf,
  idsPerDay,
  type PartitionedTable,
  partitionedTables,
} from './partition-bounds.ts';

/** A part of a table: ids from `from` to before `to`. */
export interface Partition {
  table: PartitionedTable;
  name: string;
  /** 0 for the first one, which takes whatever is less than `to`. */
  from: number;
  to: number;
}

/** How many spans there are to be ahead of the clock: a chore that nobody does for so long is missed before. */
const spansAhead = 4;
/** Three of them are shorter than the second after which Postgres ends somebody who waits in a circle: we let go. */
const lockMs = 200;

/** The days of a partition at most. */
export const spanDaysMax = 7;

/** The days of a partition: what is in it is kept so much longer at most. A twelfth of what it is kept anyway. */
export function spanOf(retentionDays: number): number {
  return Math.min(spanDaysMax, Math.max(1, Math.floor(retentionDays / 12)));
}

/** All partitions, in order; none of a table that is not partitioned yet. */
export async function list(db: Db | Trx): Promise<Partition[]> {
  const tables = Object.keys(partitionedTables);
  const { rows } = await sql<{ table: PartitionedTable; name: string; bounds: string }>`
    select parent.relname as table, part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bounds
    from pg_class as parent
    join pg_inherits on inhparent = parent.oid
    join pg_class as part on part.oid = inhrelid
    where parent.relname = any(${tables}::text[]) and parent.relkind = 'p'
      and parent.relnamespace = current_schema()::regnamespace`.execute(db);
  return rows
    .map(({ table, name, bounds }) => ({ table, name, ...boundsIn(bounds) }))
    .toSorted((one, other) => one.to - other.to);
}

/**
 * Makes the partitions that are missing until four spans of so many days lie ahead of the ids in use. Answers their
 * names. Each is made in a transaction of its own. Errors: isContention when others did not let go of the tables in
 * time; then the rest is left to the next call.
 */
export async function makeAhead(db: Db, spanDays: number): Promise<string[]> {
  const made: string[] = [];
  const span = spanDays * idsPerDay;
  for (const table of Object.keys(partitionedTables) as PartitionedTable[]) {
    const until = (await currentId(db)) + spansAhead * span;
    for (let last = await lastOf(db, table); last && last.to < until; last = await lastOf(db, table)) {
      const { to } = last;
      const name = await db.transaction().execute((trx) => create(trx, table, { from: to, to: to + span }));
      made.push(name);
    }
    // Nobody else counts for the planner what a partitioned table has as a whole.
    if (made.length > 0) await sql`analyze ${sql.table(table)}`.execute(db);
  }
  return made;
}

/** Makes what is missing for ids up to one, in the caller's transaction: nothing while somebody does the chore. */
export async function makeUpTo(trx: Trx, id: number): Promise<void> {
  for (const table of Object.keys(partitionedTables) as PartitionedTable[]) {
    for (let last = await lastOf(trx, table); last && last.to <= id; last = await lastOf(trx, table)) {
      // Whoever was away for a year gets no partition for each week of it.
      const span = Math.max(spanDaysMax * idsPerDay, last.from === 0 ? 0 : last.to - last.from);
      const to = last.to + Math.ceil((id + 1 - last.to) / span) * span;
      await create(trx, table, { from: last.to, to });
    }
  }
}

async function lastOf(db: Db | Trx, table: PartitionedTable): Promise<Partition | undefined> {
  return (await list(db)).findLast((partition) => partition.table === table);
}

async function create(
  trx: Trx,
  table: PartitionedTable,
  { from, to }: { from: number; to: number },
): Promise<string> {
  const name = `${table}_${dayOf(from)}`;
  await lock(trx, table, { references: 'added' });
  await sql`create table ${sql.table(name)} partition of ${sql.table(table)}
    for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(trx);
  return name;
}

/**
 * Waits a moment for all that a change of partitions takes, in the order in which others take it: their foreign keys
 * are changed, too. Errors: isContention.
 */
export async function lock(
  trx: Trx,
  table: PartitionedTable,
  { references }: { references: 'added' | 'removed' },
): Promise<void> {
  // Of a foreign key that goes, Postgres drops triggers of the other table, which nobody may even read meanwhile.
  const mode = references === 'removed' ? 'access exclusive' : 'share row exclusive';
  // As one message: nobody waits for what we hold while we are busy with something else than the next lock.
  await sql
    .raw(
      `set local lock_timeout = ${lockMs};
      lock table batches, accounts in ${mode} mode;
      lock table ${table} in access exclusive mode`,
    )
    .execute(trx);
}
