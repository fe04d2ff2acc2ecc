/**
 * `items` and `chunks` are kept in partitions by ranges of request ids, which keep up with the clock: 10,000 to a
 * second (`request-ids.ts`). So what was checked in a week is together, statements that name ids look there alone,
 * and what has expired goes as a whole. `history` is kept in longer ones, by the clock itself.
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
function idOf(bound: RawBuilder<unknown>): RawBuilder<number> {
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
function dayOf(id: number): string {
  return new Date(id / 10).toISOString().slice(0, 10).replaceAll('-', '');
}

/** A part of a table: what has its place from `from` to before `to`, as ids or as the moments of those. */
export interface Partition {
  table: PartitionedTable;
  name: string;
  /** 0 for the first one, which takes whatever is less than `to`. */
  from: number;
  to: number;
}

/** How many partitions lie ahead of the clock. A chore that fails for so long is noticed earlier. */
const spansAhead = 4;
/** Three waits end within the second after which Postgres resolves a deadlock, so it is this side that gives up. */
const lockMs = 200;

const tables = Object.keys(partitionedTables) as PartitionedTable[];

/** The most days that a partition of items or chunks covers. */
const spanDaysMax = 7;

const week = spanDaysMax * idsPerDay;

/** Days of each table. */
export type DaysOf = Record<PartitionedTable, number>;

/** Spans of a week, for callers that do not know how long anything is kept. */
export const weekly: DaysOf = { chunks: spanDaysMax, items: spanDaysMax, history: spanDaysMax };

/** How long each table keeps what is in it. */
export function keptIn({ days, historyDays }: { days: number; historyDays: number }): DaysOf {
  return { chunks: days, items: days, history: historyDays };
}

/**
 * Returns how many days a partition covers. Its rows may be kept for so much longer. It is a twelfth of the time that
 * they are kept, and a sixth for history, because a search for a series reads all partitions.
 */
export function spanOf(table: PartitionedTable, keptDays: number): number {
  if (table === 'history') return Math.max(1, Math.floor(keptDays / 6));
  return Math.min(spanDaysMax, Math.max(1, Math.floor(keptDays / 12)));
}

/** The same of each table. */
export function spansOf(kept: DaysOf): DaysOf {
  return {
    chunks: spanOf('chunks', kept.chunks),
    items: spanOf('items', kept.items),
    history: spanOf('history', kept.history),
  };
}

/** All partitions, in order. */
export async function list(db: Db | Trx): Promise<Partition[]> {
  const bound = (nth: number) => idOf(sql`trim(both '''' from bounds[${sql.lit(nth)}])`);
  const { rows } = await sql<Partition>`
    select parent.relname as table, part.relname as name, ${bound(1)} as "from", ${bound(2)} as "to"
    from pg_class as parent
    join pg_inherits on inhparent = parent.oid
    join pg_class as part on part.oid = inhrelid
    cross join regexp_match(pg_get_expr(part.relpartbound, part.oid), 'FROM \\((.*)\\) TO \\((.*)\\)') as bounds
    where parent.relname = any(${tables}::text[]) and parent.relkind = 'p'
      and parent.relnamespace = current_schema()::regnamespace`.execute(db);
  for (const { name, to } of rows)
    if (to === null) throw new Error(`Partition ${name} ends in a way that nobody here made`);
  return rows.toSorted((one, other) => one.to - other.to);
}

/**
 * Makes the partitions that are missing until four spans of so many days lie ahead of what is written, or four weeks
 * where those are longer. Answers their names. Each is made in a transaction of its own. Errors: isContention when
 * others did not let go of the tables in time; then the rest is left to the next call.
 */
export async function makeAhead(db: Db, spans: DaysOf): Promise<string[]> {
  const made: string[] = [];
  for (const table of tables) {
    const madeBefore = made.length;
    const span = spans[table] * idsPerDay;
    const ahead = spansAhead * Math.min(span, week);
    const now = await placeOf(db, table);
    const startOfDay = Math.floor(now / idsPerDay) * idsPerDay;
    for (;;) {
      const last = lastOf(table, await list(db));
      if (last && last.to >= now + ahead) break;
      const bounds = { from: last?.to ?? 0, to: (last?.to ?? startOfDay) + span };
      made.push(await db.transaction().execute((trx) => create(trx, table, bounds)));
    }
    // Nobody else counts for the planner what a partitioned table has as a whole.
    if (made.length > madeBefore) await sql`analyze ${sql.table(table)}`.execute(db);
  }
  return made;
}

/**
 * Makes what is missing for ids up to one, in the caller's transaction: nothing while somebody does the chore. Of the
 * history a week more: what gets its id now may be recorded later.
 */
export async function makeUpTo(trx: Trx, id: number): Promise<void> {
  const needed: Record<PartitionedTable, number> = { chunks: id, items: id, history: id + week };
  for (;;) {
    const all = await list(trx);
    const short = tables
      .flatMap((table) => lastOf(table, all) ?? [])
      .find(({ table, to }) => to <= needed[table]);
    if (!short) return;
    // After a year in which no process ran, one partition covers the year.
    const span = Math.max(week, short.from === 0 ? 0 : short.to - short.from);
    const to = short.to + Math.ceil((needed[short.table] + 1 - short.to) / span) * span;
    await create(trx, short.table, { from: short.to, to });
  }
}

function lastOf(table: PartitionedTable, of: Partition[]): Partition | undefined {
  return of.findLast((partition) => partition.table === table);
}

async function create(
  trx: Trx,
  table: PartitionedTable,
  { from, to }: { from: number; to: number },
): Promise<string> {
  const name = `${table}_${from === 0 ? 'first' : dayOf(from)}`;
  await lock(trx, table, { references: 'added' });
  await sql`create table ${sql.table(name)} partition of ${sql.table(table)}
    for values from (${from === 0 ? sql`minvalue` : boundAt(table, from)}) to (${boundAt(table, to)})`.execute(
    trx,
  );
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
  const referred = table === 'history' ? 'accounts' : 'batches, accounts';
  // Of a foreign key that goes, Postgres drops triggers of the other table, which nobody may even read meanwhile.
  const mode = references === 'removed' ? 'access exclusive' : 'share row exclusive';
  // As one message: nobody waits for what we hold while we are busy with something else than the next lock.
  await sql
    .raw(
      `set local lock_timeout = ${lockMs};
      lock table ${referred} in ${mode} mode;
      lock table ${table} in access exclusive mode`,
    )
    .execute(trx);
}
