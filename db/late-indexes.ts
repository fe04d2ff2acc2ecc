import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../log.ts';
import { alone } from './alone.ts';
import type { Db } from './connect.ts';
import type { DB } from './tables.ts';

/**
 * Indexes of tables that may have grown large. A migration is a transaction, and would keep writers waiting
 * until the index is made; these are made beside them, after the migrations.
 */
export const lateIndexes: Readonly<Record<string, string>> = {
  ledger_refunds_by_batch: `ledger_entries (account_id, batch_id) where kind = 'refund' and batch_id is not null`,
  history_by_rank_series: `history (account_id, series, checked_at desc, request_id desc) where type = 'keyword'`,
  history_by_age: `history ((checked_at AT TIME ZONE 'UTC'::text))`,
  items_single_checks: 'items (account_id, checked_at desc, request_id desc) where batch_id is null',
  batches_by_submission: 'batches (account_id, submission_id) where submission_id is not null',
  batches_own: 'batches (account_id, created_at desc, batch_id desc) where run_id is null',
  batches_open_by_first_id: 'batches (account_id, type, first_request_id) where completed_at is null',
  batches_of_tests: 'batches (completed_at) where is_test and purged_at is null',
  chunks_of_tests: 'chunks (created_at) where is_test and batch_id is null',
  batches_kept_by_first_id: 'batches (first_request_id) where purged_at is null',
  items_by_position: 'items (account_id, batch_id, position)',
  chunks_waiting: `chunks (account_id, type, created_at, chunk_id)
    where job_id is null and batch_id is not null and settled < size`,
  chunks_queued: 'chunks (account_id, type) where job_id is not null and settled < size',
  changes_by_time: 'changes (account_id, at)',
  accounts_disabled: 'accounts (account_id) where disabled_at is not null',
  accounts_low_untold: 'accounts (account_id) where low_since is not null and low_told_at is null',
};

/**
 * Keys that have the column in them by which a table is to be partitioned, as those of a partitioned one must: made for
 * the table that is not so yet, whose own has it not, and taken over then (`partitioning.ts`).
 */
export const keysToCome: Readonly<Record<string, string>> = {
  history_key: 'history (account_id, request_id, checked_at)',
};

/**
 * Of which an index above does all the work. A process of before that still looks for old points by `history_by_time`
 * reads the whole history for it, or gives up when its time is up; those that come after it purge them.
 */
const replacedIndexes = ['batches_open_by_type', 'history_by_time'];

const lockId = 7_165_320;

/**
 * Makes the indexes that are not there yet; one that somebody left unfinished is made anew. It takes as long as the
 * table is large and its oldest writer takes: the log says what is waited for, and how far it is, every few seconds.
 * Needs two connections. Errors: the database's own; what was begun is then made anew by the next call.
 */
export function makeLateIndexes(db: Db, log: Log, { tellEveryMs = 5000 } = {}): Promise<void> {
  return db.connection().execute((session) => {
    const waits = () => log.info('Indexes are being made by another process, which is waited for');
    return alone(session, lockId, () => makeAll(db, session, log, tellEveryMs), waits);
  });
}

async function makeAll(db: Db, session: Kysely<DB>, log: Log, tellEveryMs: number): Promise<void> {
  const make = async (name: string, act: () => Promise<void>) => {
    if (await isThere(session, name)) return;
    log.info(`Index ${name} is being made beside those who write`);
    await telling(db, session, name, log, tellEveryMs, act);
    log.info(`Index ${name} is made`);
  };
  for (const [name, of] of Object.entries(lateIndexes)) await make(name, () => makeIndex(session, name, of));
  for (const [name, of] of Object.entries(keysToCome)) {
    if ((await partitionsOf(session, tableOf(of))) === null)
      await make(name, () => makeOn(session, name, of, 'unique index'));
  }
  for (const name of replacedIndexes) await dropIndex(session, name);
}

async function isThere(session: Kysely<DB>, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and indisvalid`.execute(session);
  return rows.length > 0;
}

async function makeIndex(session: Kysely<DB>, name: string, of: string): Promise<void> {
  const table = tableOf(of);
  const columns = of.slice(table.length);
  const partitions = await partitionsOf(session, table);
  if (partitions === null) return makeOn(session, name, of);
  await sql`create index if not exists ${sql.ref(name)} on only ${sql.raw(of)}`.execute(session);
  for (const partition of partitions) {
    const part = `${partition}${name.slice(table.length)}`;
    if (await isThere(session, part)) continue;
    await makeOn(session, part, partition + columns);
    await sql`alter index ${sql.ref(name)} attach partition ${sql.ref(part)}`.execute(session);
  }
}

async function makeOn(session: Kysely<DB>, name: string, of: string, kind = 'index'): Promise<void> {
  await dropIndex(session, name);
  await sql`create ${sql.raw(kind)} concurrently ${sql.ref(name)} on ${sql.raw(of)}`.execute(session);
}

async function dropIndex(session: Kysely<DB>, name: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(session);
}

/** Null of a table that has none, and could have none. */
async function partitionsOf(session: Kysely<DB>, table: string): Promise<string[] | null> {
  const { rows } = await sql<{ isWhole: boolean; partition: string | null }>`
    select relkind <> 'p' as is_whole, inhrelid::regclass::text as partition
    from pg_class left join pg_inherits on inhparent = pg_class.oid
    where pg_class.oid = to_regclass(${table})`.execute(session);
  if (rows[0]?.isWhole !== false) return null;
  return rows.flatMap(({ partition }) => partition ?? []);
}

function tableOf(index: string): string {
  return index.slice(0, index.indexOf(' '));
}

/** Acts, and says every now and then how far what the session makes is. */
async function telling(
  db: Db,
  session: Kysely<DB>,
  name: string,
  log: Log,
  everyMs: number,
  act: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session);
  const ended = new AbortController();
  const told = (async () => {
    while (await passed(everyMs, ended.signal)) {
      const progress = await progressOf(db, rows[0]?.pid ?? 0);
      if (progress) log.info(`Index ${name}: ${progress.phase}`, { ...progress });
    }
  })();
  try {
    await act();
  } finally {
    ended.abort();
    await told;
  }
}

interface Progress {
  /** In Postgres's words. */
  phase: string;
  /** Transactions that had to end first, and those that have; null in phases that wait for none. */
  holders: string | null;
  /** The one that is waited for now; null when none is. */
  waitsForPid: number | null;
  /** Blocks and rows done of those there are; null before they are counted. */
  blocks: string | null;
  rows: string | null;
}

/** Null when it is not at it, or this server does not tell. */
async function progressOf(db: Db, pid: number): Promise<Progress | null> {
  const asked = sql<Progress>`
    select phase, nullif(current_locker_pid, 0) as waits_for_pid,
      case when lockers_total > 0 then format('%s of %s', lockers_done, lockers_total) end as holders,
      case when blocks_total > 0 then format('%s of %s', blocks_done, blocks_total) end as blocks,
      case when tuples_total > 0 then format('%s of %s', tuples_done, tuples_total) end as rows
    from pg_stat_progress_create_index where pid = ${pid}`.execute(db);
  return asked.then(
    ({ rows }) => rows[0] ?? null,
    () => null,
  );
}

async function passed(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
