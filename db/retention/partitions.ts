/**
 * `items` and `chunks` are partitioned by ranges of request ids, which grow with the clock by 10,000 a second
 * (db/batches/request-ids.ts). A statement that names ids therefore reads one partition. Expired rows are dropped with
 * their partition. `history` is partitioned by time.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/**
 * Partitioned tables with their partition column, in the order in which partitions are dropped. The partition column of
 * `history` also orders its pages. So for a page, Postgres reads only the newest partitions.
 */
export const partitionedTables = { chunks: 'chunk_id', items: 'request_id', history: 'checked_at' } as const;

type PartitionedTable = keyof typeof partitionedTables;

export const idsPerDay = 86_400 * 10_000;

/** Returns a partition bound for an id. For `history`, the bound is the time of the id. */
export function toBound(table: PartitionedTable, id: number): RawBuilder<unknown> {
  return sql.lit(isByTime(table) ? new Date(id / 10).toISOString() : id);
}

/** Converts the text of a bound to an id; 0 for MINVALUE. */
function toId(bound: RawBuilder<unknown>): RawBuilder<number> {
  return sql`case when ${bound} = 'MINVALUE' then 0 when ${bound} ~ '^\\d+$' then ${bound}::bigint
    else (extract(epoch from ${bound}::timestamptz) * 10000)::bigint end`;
}

/** Returns the id that corresponds to the current time in a table. New rows have ids near this id. */
export async function findCurrentBound(db: Db, table: PartitionedTable): Promise<number> {
  if (!isByTime(table)) return findCurrentId(db);
  const { rows } = await sql<{ id: number }>`
    select floor(extract(epoch from now()) * 10000)::bigint as id`.execute(db);
  return rows[0]?.id ?? 0;
}

function isByTime(table: PartitionedTable): boolean {
  return partitionedTables[table] === 'checked_at';
}

/** Returns the id at which a new block would start now. */
export async function findCurrentId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select greatest(last_value, floor(extract(epoch from now()) * 10000))::bigint as id from request_ids`.execute(
    db,
  );
  return rows[0]?.id ?? 0;
}

/** Formats the day (UTC) of an id for the name of a partition, such as `20261122`. */
function formatDay(id: number): string {
  return new Date(id / 10).toISOString().slice(0, 10).replaceAll('-', '');
}

/** A partition. Its bounds are ids. For `history`, the bounds are times that are converted to ids. */
export interface Partition {
  table: PartitionedTable;
  name: string;
  /** Inclusive. 0 for the first partition, which has no lower bound. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** Number of partitions created ahead of the clock. */
const spansAhead = 4;
/**
 * Maximum wait for a lock. Three waits together are shorter than the deadlock timeout of one second. In a deadlock,
 * this transaction therefore fails instead of another transaction.
 */
const lockMs = 200;

const tables = Object.keys(partitionedTables) as PartitionedTable[];

/** Maximum number of days in a partition of items or chunks. */
const spanDaysMax = 7;

const week = spanDaysMax * idsPerDay;

/** Days for which rows are kept. `historyDays`: index verdicts and ranks. `days`: all other results. */
export interface Retention {
  days: number;
  historyDays: number;
}

export function getRetention(table: PartitionedTable, { days, historyDays }: Retention): number {
  return table === 'history' ? historyDays : days;
}

/**
 * Returns the number of days in a partition: a twelfth of the retention, at most a week. For history, this is a sixth,
 * because a query for a series reads all partitions. Rows can be kept longer than the retention by this number of days.
 */
export function partitionDays(table: PartitionedTable, keptDays: number): number {
  if (table === 'history') return Math.max(1, Math.floor(keptDays / 6));
  return Math.min(spanDaysMax, Math.max(1, Math.floor(keptDays / 12)));
}

/** Returns all partitions, ordered by upper bound. */
export async function list(db: Db): Promise<Partition[]> {
  const bound = (nth: number) => toId(sql`trim(both '''' from bounds[${sql.lit(nth)}])`);
  const { rows } = await sql<Partition>`
    select parent.relname as table, part.relname as name, ${bound(1)} as "from", ${bound(2)} as "to"
    from pg_class as parent
    join pg_inherits on inhparent = parent.oid
    join pg_class as part on part.oid = inhrelid
    cross join regexp_match(pg_get_expr(part.relpartbound, part.oid), 'FROM \\((.*)\\) TO \\((.*)\\)') as bounds
    where parent.relname = any(${tables}::text[]) and parent.relkind = 'p'
      and parent.relnamespace = current_schema()::regnamespace`.execute(db);
  for (const { name, to } of rows)
    if (to === null) throw new Error(`Partition ${name} has an unexpected upper bound.`);
  return rows.toSorted((one, other) => one.to - other.to);
}

/**
 * Creates partitions for the next four spans of `partitionDays`, but at most for the next four weeks. Callers that do
 * not know the retention get partitions of a week. Each partition has its own transaction. Returns the names of the new
 * partitions. Throws an error with `isContention` if the tables are locked for too long. The next call then creates the
 * remaining partitions.
 */
export async function createAhead(db: Db, retention?: Retention): Promise<string[]> {
  const created: string[] = [];
  for (const table of tables) {
    const createdBefore = created.length;
    const days = retention ? partitionDays(table, getRetention(table, retention)) : spanDaysMax;
    const span = days * idsPerDay;
    const ahead = spansAhead * Math.min(span, week);
    const now = await findCurrentBound(db, table);
    const startOfDay = Math.floor(now / idsPerDay) * idsPerDay;
    for (;;) {
      const last = findLast(table, await list(db));
      if (last && last.to >= now + ahead) break;
      const bounds = { from: last?.to ?? 0, to: (last?.to ?? startOfDay) + span };
      created.push(await db.transaction().execute((trx) => create(trx, table, bounds)));
    }
    // Autovacuum analyzes partitions, but not partitioned tables.
    if (created.length > createdBefore) await sql`analyze ${sql.table(table)}`.execute(db);
  }
  return created;
}

/**
 * Creates missing partitions for ids up to `id`, in the caller's transaction. Normally, the chore `partitions` has
 * created these partitions earlier. History gets another week, because a check can be recorded long after its id was
 * reserved.
 */
export async function createUpTo(trx: Trx, id: number): Promise<void> {
  const needed: Record<PartitionedTable, number> = { chunks: id, items: id, history: id + week };
  for (;;) {
    const all = await list(trx);
    const short = tables
      .flatMap((table) => findLast(table, all) ?? [])
      .find(({ table, to }) => to <= needed[table]);
    if (!short) return;
    // If no process ran for a year, one partition covers the whole year.
    const span = Math.max(week, short.from === 0 ? 0 : short.to - short.from);
    const to = short.to + Math.ceil((needed[short.table] + 1 - short.to) / span) * span;
    await create(trx, short.table, { from: short.to, to });
  }
}

function findLast(table: PartitionedTable, partitions: Partition[]): Partition | undefined {
  return partitions.findLast((partition) => partition.table === table);
}

async function create(
  trx: Trx,
  table: PartitionedTable,
  { from, to }: { from: number; to: number },
): Promise<string> {
  const name = `${table}_${from === 0 ? 'first' : formatDay(from)}`;
  await lock(trx, table, { references: 'added' });
  await sql`create table ${sql.table(name)} partition of ${sql.table(table)}
    for values from (${from === 0 ? sql`minvalue` : toBound(table, from)}) to (${toBound(table, to)})`.execute(
    trx,
  );
  return name;
}

/**
 * Locks a table and the tables that its foreign keys reference. Other transactions take these locks in the same order.
 * Throws an error with `isContention` if a table is locked for too long.
 */
export async function lock(
  trx: Trx,
  table: PartitionedTable,
  { references }: { references: 'added' | 'removed' },
): Promise<void> {
  const referenced = table === 'history' ? 'accounts' : 'batches, accounts';
  // To drop a foreign key, Postgres drops triggers of the referenced table. This needs an exclusive lock.
  const mode = references === 'removed' ? 'access exclusive' : 'share row exclusive';
  // The statements are sent as one message, to hold the locks as briefly as possible.
  await sql
    .raw(
      `set local lock_timeout = ${lockMs};
      lock table ${referenced} in ${mode} mode;
      lock table ${table} in access exclusive mode`,
    )
    .execute(trx);
}

/** Matches items and history rows of the last `days` days of 24 hours each. */
export function isKept(days: number): RawBuilder<boolean> {
  return sql<boolean>`checked_at >= now() - ${days} * interval '24 hours'`;
}

const testDays = 7;

/** Returns the retention of checks in days. `days` is the retention of checks that are not tests. */
export function daysKept(days: number, { isTest }: { isTest: boolean }): number {
  return isTest ? Math.min(testDays, days) : days;
}
