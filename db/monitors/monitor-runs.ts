import { sql } from 'kysely';
import type { PausedReason, RunKind, RunStatus, SkipReason } from '../../schemas/monitor-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import type { MonitorRef } from './monitors.ts';

export interface RunRef {
  accountId: number;
  runId: string;
}

/** A run of a monitor, or a due run that was skipped. */
export interface RunRow extends RunRef, MonitorRef {
  /** A check covers all subjects. A confirmation covers the losses that a check found. */
  kind: RunKind;
  /** Run that found the losses to confirm; null for a check. */
  confirms: string | null;
  /** Null for manual runs and confirmations. */
  dueAt: Date | null;
  /** True if the run started ten minutes or more after `dueAt`. */
  late: boolean;
  /** `preparing` lasts until the sitemap is read. `running` lasts until the last batch has ended. */
  status: RunStatus;
  /** Null if the run was not skipped. */
  reason: SkipReason | null;
  /** First of `batchIds`; null until the run starts. */
  batchId: string | null;
  /** Empty until the run starts. */
  batchIds: string[];
  /** First ledger entry that charged the run; null until the run starts. */
  entryNo: number | null;
  /** Credits charged at the start of the run. */
  creditsCharged: number;
  /** Number of subjects that the run checks. */
  subjects: number;
  /** Number of subjects with an answer. Like `failed`, it is 0 until the run has finished. */
  checked: number;
  failed: number;
  /** Number of notified changes. */
  changes: number;
  /** Number of sitemap URLs beyond the limit. */
  leftOut: number;
  /** True if the run kept the previous list, because the sitemap could not be read or trusted. */
  sitemapDoubtful: boolean;
  /** When losses will be confirmed, and their subjects. Null and empty without losses to confirm. */
  confirmAt: Date | null;
  confirmSubjects: number[];
  /** Token whose monthly limit the charge counts against; null without such a token. */
  tokenId: number | null;
  createdAt: Date;
  /** When the run was charged; null before that, and for a skipped run. */
  startedAt: Date | null;
  /** When the last batch ended or the run was skipped; null before that. */
  finishedAt: Date | null;
}

type Values = Partial<Omit<RunRow, keyof RunRef>>;

/** Inserts a run. Constraints allow one run per monitor and due time, and one check in progress per monitor. */
export function create(
  trx: Trx,
  run: RunRef & MonitorRef & Pick<RunRow, 'kind' | 'status'> & Values,
): Promise<RunRow> {
  return trx.insertInto('monitorRuns').values(toRow(run)).returning(columns).executeTakeFirstOrThrow();
}

export async function find(db: Db, ref: RunRef): Promise<RunRow | null> {
  return (await selectRun(db, ref).executeTakeFirst()) ?? null;
}

/** Locks a run. Lock its monitor first. */
export async function lock(trx: Trx, ref: RunRef): Promise<RunRow | null> {
  return (await selectRun(trx, ref).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/** Updates a run that the transaction has locked, and returns it. */
export function update(trx: Trx, { accountId, runId }: RunRef, values: Values): Promise<RunRow> {
  return trx
    .updateTable('monitorRuns')
    .set(toRow(values))
    .where('accountId', '=', accountId)
    .where('runId', '=', runId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Cancels the scheduled confirmations of a monitor that is paused or deleted. */
export async function dropConfirmations(trx: Trx, { accountId, monitorId }: MonitorRef): Promise<void> {
  await trx
    .updateTable('monitorRuns')
    .set({ confirmAt: null, confirmSubjects: '{}' as never })
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('confirmAt', 'is not', null)
    .execute();
}

/** Finds the check in progress of a monitor. Ignores confirmations. */
export async function findInProgress(db: Db, ref: MonitorRef): Promise<RunRow | null> {
  return (await selectChecks(db, ref).where('finishedAt', 'is', null).executeTakeFirst()) ?? null;
}

/**
 * Finds the previous check of a monitor. Ignores checks that were skipped because of an overlap. Returns null for the
 * first check.
 */
export async function findPrevious(db: Db, run: RunRef & MonitorRef): Promise<RunRow | null> {
  const row = await selectChecks(db, run)
    .where('runId', '<>', run.runId)
    .where(sql<boolean>`reason is distinct from 'overlap'`)
    .orderBy('createdAt', 'desc')
    .orderBy('runId', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Sums the counters of a run's batches. `isOver` is true if all batches have ended. */
export async function sumProgress(
  db: Db,
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
type RunWindow = PageParams<{ createdAt: Date; runId: string }>;

/** Returns a monitor's runs, newest first. */
export function list(db: Db, ref: MonitorRef, filter: RunFilter & RunWindow): Promise<RunRow[]> {
  return filtered(db, ref, filter)
    .select(columns)
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** Returns the ended checks of a monitor whose answers are still stored, newest first. Ignores confirmations. */
export function listEnded(db: Db, ref: MonitorRef, { limit }: { limit: number }): Promise<RunRow[]> {
  return selectChecks(db, ref)
    .where('status', 'in', ['completed', 'partial'])
    .where(sql<boolean>`not exists (
      select from batches where batches.account_id = ${ref.accountId} and batch_id = any(batch_ids) and purged_at is not null)`)
    .orderBy('createdAt', 'desc')
    .orderBy('runId', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the refunded credits by run: for checks without an answer, and for AI Overviews that were not read. */
export async function findRefunds(
  db: Db,
  accountId: number,
  runs: Pick<RunRow, 'runId' | 'batchIds'>[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('batches')
    .select(['batchId', sql<number>`failed + overviews_refunded`.as('refunded')])
    .where('accountId', '=', accountId)
    .where('batchId', '=', sql<string>`any(${runs.flatMap(({ batchIds }) => batchIds)}::uuid[])`)
    .execute();
  const byBatch = new Map(rows.map(({ batchId, refunded }) => [batchId, refunded]));
  const sum = (ids: string[]) => ids.reduce((all, id) => all + (byBatch.get(id) ?? 0), 0);
  return new Map(runs.map(({ runId, batchIds }) => [runId, sum(batchIds)]));
}

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

function selectChecks(db: Db, { accountId, monitorId }: MonitorRef) {
  return db
    .selectFrom('monitorRuns')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('kind', '=', 'check');
}

function selectRun(db: Db, { accountId, runId }: RunRef) {
  return db
    .selectFrom('monitorRuns')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('runId', '=', runId);
}

function filtered(
  db: Db,
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

/** Converts arrays of numbers to Postgres literals. */
function toRow<V extends Values>({ confirmSubjects, ...values }: V) {
  return {
    ...values,
    ...(confirmSubjects ? { confirmSubjects: `{${confirmSubjects.join(',')}}` as never } : {}),
  };
}

export interface NamedRun
  extends Pick<RunRow, 'monitorId' | 'status' | 'reason' | 'leftOut' | 'sitemapDoubtful'> {
  name: string;
  /** Null if the monitor is not paused now. */
  monitorPausedReason: PausedReason | null;
}

/** Returns runs whose monitors still exist, ordered by monitor name. */
export function listNamed(trx: Trx, accountId: number, runIds: string[]): Promise<NamedRun[]> {
  return trx
    .selectFrom('monitorRuns')
    .innerJoin('monitors', (join) =>
      join
        .onRef('monitors.accountId', '=', 'monitorRuns.accountId')
        .onRef('monitors.monitorId', '=', 'monitorRuns.monitorId'),
    )
    .select([
      'monitors.monitorId',
      'monitors.name',
      'monitors.pausedReason as monitorPausedReason',
      'monitorRuns.status',
      'monitorRuns.reason',
      'monitorRuns.leftOut',
      'monitorRuns.sitemapDoubtful',
    ])
    .where('monitorRuns.accountId', '=', accountId)
    .where('runId', '=', sql<string>`any(${runIds}::uuid[])`)
    .where('monitors.deletedAt', 'is', null)
    .orderBy('monitors.name')
    .orderBy('monitors.monitorId')
    .execute();
}

/** Result of the last check of a monitor. */
export interface LastRun {
  monitorId: string;
  status: RunStatus;
  /** Null if the run was not skipped. */
  reason: SkipReason | null;
  /** True if the check started ten minutes or more after it was due. */
  late: boolean;
  createdAt: Date;
}

export interface RunInProgress {
  monitorId: string;
  /** Number of subjects; 0 until the sitemap is read. */
  subjects: number;
  /** Number of subjects that have an answer or failed. */
  done: number;
}

/** Returns the check in progress by monitor. There may be a newer check that was skipped. */
export async function findChecksInProgress(
  db: Db,
  accountId: number,
  monitorIds: string[],
): Promise<Map<string, RunInProgress>> {
  const { rows } = await sql<RunInProgress>`
    select run.monitor_id, case when run.status = 'preparing' then 0 else run.subjects end as subjects, (
      select coalesce(sum(successful + failed), 0)::int from batches
      where account_id = ${accountId} and batch_id = any(run.batch_ids)) as done
    from monitor_runs as run
    where run.account_id = ${accountId} and run.monitor_id = any(${monitorIds}::uuid[]) and run.kind = 'check'
      and run.finished_at is null`.execute(db);
  return new Map(rows.map((row) => [row.monitorId, row]));
}

/** Returns the last check by monitor, executed or skipped. Monitors that never ran are missing. */
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
