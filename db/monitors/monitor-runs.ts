import { sql } from 'kysely';
import type { RunKind, RunStatus, SkipReason } from '../../schemas/monitor-words.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type Window } from '../postgres/keyset.ts';
import type { MonitorRef } from './monitors.ts';

export interface RunRef {
  accountId: number;
  runId: string;
}

/** One run of a monitor, or why there was none. */
export interface RunRow extends RunRef, MonitorRef {
  /** A check of all its subjects, or a second look at what one saw lost; never changes. */
  kind: RunKind;
  /** The run whose losses it checks again; null exactly for a check. */
  confirms: string | null;
  /** When it was due; null for one by hand and for a confirmation. */
  dueAt: Date | null;
  /** Whether it came ten minutes or more after that. */
  late: boolean;
  /** Moved from preparing when its sitemap was read, from running when its last batch has ended. */
  status: RunStatus;
  /** Null unless it was skipped. */
  reason: SkipReason | null;
  /** The first of `batchIds`; null until it has begun. */
  batchId: string | null;
  /** What it checks with; empty until it has begun. */
  batchIds: string[];
  /** The first entry of the ledger that charged it; null until it has begun. */
  entryNo: number | null;
  /** What was charged when it began. */
  creditsCharged: number;
  /** How many it checks. */
  subjects: number;
  /** How many got an answer, and how many none; both 0 until it has finished. */
  checked: number;
  failed: number;
  /** How many changes it notified. */
  changes: number;
  /** How many addresses of its sitemap were beyond the limit. */
  leftOut: number;
  /** Whether its sitemap was not believed. */
  sitemapDoubtful: boolean;
  /** When losses that it saw are checked again, and which; null and empty unless some wait for it. */
  confirmAt: Date | null;
  confirmSubjects: number[];
  /** The token with a monthly limit that its charge counts against; null for none. */
  tokenId: number | null;
  createdAt: Date;
  /** When it was charged; null until then, and for good when it was skipped. */
  startedAt: Date | null;
  /** When its last batch had ended, or it was skipped; null until then. */
  finishedAt: Date | null;
}

type Values = Partial<Omit<RunRow, keyof RunRef>>;

/** Stores a run. The database refuses a second one of a monitor for a due time, and a second one at work. */
export function create(
  trx: Trx,
  run: RunRef & MonitorRef & Pick<RunRow, 'kind' | 'status'> & Values,
): Promise<RunRow> {
  return trx.insertInto('monitorRuns').values(stored(run)).returning(columns).executeTakeFirstOrThrow();
}

/** Null when the account has no such run. */
export async function find(db: Db | Trx, ref: RunRef): Promise<RunRow | null> {
  return (await selectOf(db, ref).executeTakeFirst()) ?? null;
}

/** Locks a run. Its monitor is locked first. */
export async function lock(trx: Trx, ref: RunRef): Promise<RunRow | null> {
  return (await selectOf(trx, ref).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** Updates a run that the transaction has locked, and returns it. */
export function update(trx: Trx, { accountId, runId }: RunRef, values: Values): Promise<RunRow> {
  return trx
    .updateTable('monitorRuns')
    .set(stored(values))
    .where('accountId', '=', accountId)
    .where('runId', '=', runId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Drops what waits to be confirmed of a monitor that is paused or deleted. */
export async function dropConfirmations(trx: Trx, { accountId, monitorId }: MonitorRef): Promise<void> {
  await trx
    .updateTable('monitorRuns')
    .set({ confirmAt: null, confirmSubjects: '{}' as never })
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('confirmAt', 'is not', null)
    .execute();
}

/** The check of a monitor that is at work; null when none is. A confirmation is none. */
export async function findAtWork(db: Db | Trx, { accountId, monitorId }: MonitorRef): Promise<RunRow | null> {
  const row = await db
    .selectFrom('monitorRuns')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('kind', '=', 'check')
    .where('finishedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The check of a monitor before another, but for those skipped as an overlap, which say nothing of why one before or
 * after them was skipped; null when there is none.
 */
export async function findBefore(
  db: Db | Trx,
  { accountId, monitorId, runId }: RunRef & MonitorRef,
): Promise<RunRow | null> {
  const row = await db
    .selectFrom('monitorRuns')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('runId', '<>', runId)
    .where('kind', '=', 'check')
    .where(sql<boolean>`reason is distinct from 'overlap'`)
    .orderBy('createdAt', 'desc')
    .orderBy('runId', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Sums the counts of its batches. `isOver`: all have ended. */
export async function progressOf(
  db: Db | Trx,
  { accountId, batchIds }: Pick<RunRow, 'accountId' | 'batchIds'>,
): Promise<{ successful: number; failed: number; isOver: boolean }> {
  const { rows } = await sql<{ successful: number; failed: number; isOver: boolean }>`
    select coalesce(sum(successful), 0)::int as successful, coalesce(sum(failed), 0)::int as failed,
      coalesce(bool_and(completed_at is not null), false) as is_over
    from batches where account_id = ${accountId} and batch_id = any(${batchIds}::uuid[])`.execute(db);
  return rows[0] ?? { successful: 0, failed: 0, isOver: false };
}

interface RunFilter {
  status?: RunStatus;
}
type RunWindow = Window<{ createdAt: Date; runId: string }>;

/** A monitor's runs, newest first. */
export function list(db: Db | Trx, ref: MonitorRef, filter: RunFilter & RunWindow): Promise<RunRow[]> {
  return filtered(db, ref, filter)
    .select(columns)
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** Counts them, up to `max`. */
export function count(db: Db, ref: MonitorRef, filter: RunFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, ref, filter), max);
}

const columns = [
  'accountId',
  'runId',
  'monitorId',
  'kind',
  'confirms',
  'dueAt',
  'late',
  'status',
  'reason',
  'batchId',
  'batchIds',
  'entryNo',
  'creditsCharged',
  'subjects',
  'checked',
  'failed',
  'changes',
  'leftOut',
  'sitemapDoubtful',
  'confirmAt',
  'confirmSubjects',
  'tokenId',
  'createdAt',
  'startedAt',
  'finishedAt',
] as const;

function selectOf(db: Db | Trx, { accountId, runId }: RunRef) {
  return db
    .selectFrom('monitorRuns')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('runId', '=', runId);
}

function filtered(
  db: Db | Trx,
  { accountId, monitorId }: MonitorRef,
  { status, after }: RunFilter & Pick<RunWindow, 'after'>,
) {
  const rows = db
    .selectFrom('monitorRuns')
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as RunStatus));
  return newestFirst(rows, ['createdAt', 'runId'], after && [after.createdAt, sql`${after.runId}::uuid`]);
}

/** Arrays of numbers as Postgres reads them. */
function stored<V extends Values>({ confirmSubjects, ...values }: V) {
  return {
    ...values,
    ...(confirmSubjects ? { confirmSubjects: `{${confirmSubjects.join(',')}}` as never } : {}),
  };
}

/** A run, and what its monitor is called. */
export type NamedRun = Pick<RunRow, 'monitorId' | 'status' | 'reason'> & { name: string };

/** Those of some runs whose monitors are still there, by the names of these. */
export function listNamed(trx: Trx, accountId: number, runIds: string[]): Promise<NamedRun[]> {
  return trx
    .selectFrom('monitorRuns')
    .innerJoin('monitors', (join) =>
      join
        .onRef('monitors.accountId', '=', 'monitorRuns.accountId')
        .onRef('monitors.monitorId', '=', 'monitorRuns.monitorId'),
    )
    .select(['monitors.monitorId', 'monitors.name', 'monitorRuns.status', 'monitorRuns.reason'])
    .where('monitorRuns.accountId', '=', accountId)
    .where('runId', '=', sql<string>`any(${runIds}::uuid[])`)
    .where('monitors.deletedAt', 'is', null)
    .orderBy('monitors.name')
    .orderBy('monitors.monitorId')
    .execute();
}

/** How the last check of a monitor went. */
export interface LastRun {
  monitorId: string;
  status: RunStatus;
  /** Null unless it was skipped. */
  reason: SkipReason | null;
  /** Whether it came ten minutes or more after it was due. */
  late: boolean;
  createdAt: Date;
}

/** A check that has not ended, which keeps another of its monitor from beginning. */
export interface RunAtWork {
  monitorId: string;
  /** How many it checks; 0 until its sitemap has been read. */
  subjects: number;
  /** How many of them have an answer or have failed. */
  done: number;
}

/** The check at work of each monitor; one at rest has none. It need not be the last: one skipped since is newer. */
export async function findChecksAtWork(
  db: Db,
  accountId: number,
  monitorIds: string[],
): Promise<Map<string, RunAtWork>> {
  const { rows } = await sql<RunAtWork>`
    select run.monitor_id, case when run.status = 'preparing' then 0 else run.subjects end as subjects, (
      select coalesce(sum(successful + failed), 0)::int from batches
      where account_id = ${accountId} and batch_id = any(run.batch_ids)) as done
    from monitor_runs as run
    where run.account_id = ${accountId} and run.monitor_id = any(${monitorIds}::uuid[]) and run.kind = 'check'
      and run.finished_at is null`.execute(db);
  return new Map(rows.map((row) => [row.monitorId, row]));
}

/** The last check of each monitor, whether it took place or was skipped; one that never ran has none. */
export async function findLastChecks(
  db: Db,
  accountId: number,
  monitorIds: string[],
): Promise<Map<string, LastRun>> {
  const { rows } = await sql<LastRun>`
    select last.* from unnest(${monitorIds}::uuid[]) as wanted (id)
    cross join lateral (
      select monitor_id, status, reason, late, created_at from monitor_runs
      where account_id = ${accountId} and monitor_id = wanted.id and kind = 'check'
      order by created_at desc, run_id desc limit 1) as last`.execute(db);
  return new Map(rows.map((row) => [row.monitorId, row]));
}
