/**
 * A monitor's run, in the order in which it happens:
 *
 * 1. It starts: `startDue`, `startByHand` or `startConfirmation`.
 * 2. With a sitemap it is stored as `preparing`, and a job reads the sitemap first: `startPrepared`.
 * 3. `begin` accepts its batches, charges them and makes it `running`; or `skip` records why it does not take place.
 * 4. When its last batch has ended, a job ends it: end-run.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Allowance } from '../accounts/allowance.ts';
import {
  type AcceptDeps,
  acceptBatches,
  type BatchRequest,
  type PreparedBatch,
  prepareBatches,
  requireCovered,
} from '../batches/accept.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import * as historyPasses from '../db/monitors/history-passes.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { enqueueRun } from '../db/queue/queue.ts';
import { ApiError } from '../process/api-error.ts';
import type { SkipReason } from '../schemas/monitor-words.ts';
import { batchSizeMax } from '../schemas/text.ts';
import { hasKnownZone, nextDue } from './due-times.ts';
import { endRun } from './end-run.ts';
import { type NotifyDeps, notifySkipped } from './notify.ts';
import { changedMeanwhile, monitorCompleted, noMonitor, runInProgress } from './refusals.ts';
import { type ReadSitemap, updateFromSitemap } from './sitemap.ts';

export type RunDeps = AcceptDeps & NotifyDeps & { allowance: Pick<Allowance, 'requireLeft'> };

/** A run before it begins. */
type NewRun = runs.RunRef &
  Pick<runs.RunRow, 'monitorId' | 'kind' | 'tokenId'> &
  Partial<Pick<runs.RunRow, 'dueAt' | 'late' | 'confirms'>>;

/** What a run checks, ready to be accepted. */
interface Checks {
  spender: spending.Spender | null;
  /** How many, which is what they cost. */
  count: number;
  batches: PreparedBatch[];
}

const lateAfterMs = 600_000;
/** After this many runs in a row that could not be paid, a monitor is paused until its account can pay one. */
const shortfallsMax = 3;

/**
 * Starts the run that a monitor is due for, and sets its next due time, in one transaction. Due times that were missed
 * are this one run, which is late. Null when the monitor is no longer due, or was changed since it was `seen`.
 */
export async function startDue(deps: RunDeps, seen: monitors.MonitorRow): Promise<runs.RunRow | null> {
  const { accountId, monitorId, tokenId } = seen;
  const runId = randomUUID();
  const checks = seen.sitemapUrl === null ? await checksOrReason(deps, seen, { runId, tokenId }) : null;
  return inTransaction(deps.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, seen);
    if (!monitor?.nextRunAt || monitor.nextRunAt > now) return null;
    if (monitor.revision !== seen.revision || !(await accounts.isOpen(trx, accountId))) return null;
    const dueAt = monitor.nextRunAt;
    const late = now.getTime() - dueAt.getTime() >= lateAfterMs;
    const run: NewRun = { accountId, runId, monitorId, kind: 'check', tokenId, dueAt, late };
    await monitors.update(trx, monitor, { nextRunAt: nextDue(monitor.schedule, monitorId, now) });
    if (!hasKnownZone(monitor.schedule))
      return skip(trx, deps, monitor, { run, reason: 'unknown_zone', now });
    // After the lock, which every run of the monitor takes first.
    if (await runs.findAtWork(trx, monitor)) return skip(trx, deps, monitor, { run, reason: 'overlap', now });
    return checks ? beginOrSkip(trx, deps, monitor, { run, checks, now }) : prepare(trx, deps, run);
  });
}

/** A run that is about to be started by hand. */
export interface PreparedStart {
  seen: monitors.MonitorRow;
  run: NewRun;
  /** Null where a job reads the sitemap first. */
  checks: Checks | null;
  /** The account can likely not pay what its sitemap lists. */
  isUncovered: boolean;
}

/**
 * Prepares to run a monitor now, paused or not; its due times stay. The run counts against the given token with a
 * monthly limit, without one against the monitor's. Throws ApiError when there is no such monitor, it has no URLs
 * left, a run is in progress or the allowance is used up; InsufficientCreditsError and TokenLimitError for a list.
 * Whether a sitemap can be paid is known once it was read.
 */
export async function prepareStart(
  deps: RunDeps,
  ref: monitors.MonitorRef,
  callerTokenId: number | null = null,
): Promise<PreparedStart> {
  const seen = requireRunnable(await monitors.find(deps.db, ref));
  await requireNoRun(deps.db, seen);
  const { accountId, monitorId } = seen;
  const tokenId = callerTokenId ?? seen.tokenId;
  const run: NewRun = { accountId, runId: randomUUID(), monitorId, kind: 'check', tokenId };
  if (seen.sitemapUrl === null)
    return { seen, run, checks: await prepareChecks(deps, seen, run), isUncovered: false };
  return { seen, run, checks: null, isUncovered: await isUncovered(deps, seen, tokenId) };
}

/** Starts such a run. Throws ApiError when the monitor was changed or started since, and InsufficientCreditsError. */
export async function startByHand(
  trx: Trx,
  deps: RunDeps,
  { seen, run, checks, isUncovered }: PreparedStart,
): Promise<runs.RunRow> {
  const now = await clock(trx);
  const monitor = requireRunnable(await monitors.lock(trx, seen));
  await requireNoRun(trx, monitor);
  if (monitor.revision !== seen.revision) throw changedMeanwhile();
  if (checks) return begin(trx, deps, monitor, { run, checks, now });
  const prepared = await prepare(trx, deps, run);
  // A run that is skipped could otherwise be started again without end.
  if (isUncovered) await deps.allowance.recordUnbilled(trx, run.accountId, { sitemaps: 1 });
  return prepared;
}

/**
 * Starts the second check of what a run has seen lost, when its time has come. Without credits the next run decides.
 * Null when there is nothing to confirm any more.
 */
export async function startConfirmation(deps: RunDeps, ref: runs.RunRef): Promise<runs.RunRow | null> {
  const checked = await runs.find(deps.db, ref);
  const seen = checked?.confirmAt ? await monitors.find(deps.db, checked) : null;
  if (!checked || !seen) return null;
  const { accountId, monitorId, tokenId, confirmSubjects } = checked;
  const run: NewRun = {
    ...{ accountId, runId: randomUUID(), monitorId, kind: 'confirmation', tokenId },
    confirms: checked.runId,
  };
  const checks = await checksOrReason(deps, seen, { ...run, subjectIds: confirmSubjects });
  return inTransaction(deps.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, seen);
    const locked = await runs.lock(trx, ref);
    if (!monitor || !locked?.confirmAt || locked.confirmAt > now) return null;
    if (monitor.revision !== seen.revision || !(await accounts.isOpen(trx, accountId))) return null;
    await runs.update(trx, ref, { confirmAt: null, confirmSubjects: [] });
    if (checks === 'no_subjects') return null;
    return beginOrSkip(trx, deps, monitor, { run, checks, now });
  });
}

/** Stores a run whose sitemap a job reads first. */
async function prepare(trx: Trx, { boss }: Pick<RunDeps, 'boss'>, run: NewRun): Promise<runs.RunRow> {
  const prepared = await runs.create(trx, { ...run, status: 'preparing' });
  await enqueueRun(boss, trx, prepared);
  return prepared;
}

/**
 * Reads the sitemap of a run, with no transaction open, and begins the run or skips it. Null when another process did
 * so first.
 */
async function startPrepared(
  deps: RunDeps & { readSitemap: ReadSitemap },
  run: runs.RunRow,
): Promise<runs.RunRow | null> {
  const { db } = deps;
  const isOpen = await accounts.isOpen(db, run.accountId);
  const before = isOpen ? await monitors.find(db, run) : null;
  if (before) await updateFromSitemap(deps, before, run);
  const seen = before && (await monitors.find(db, run));
  const checks = seen && (await checksOrReason(deps, seen, run));
  return inTransaction(db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, run, { orDeleted: true });
    const locked = await runs.lock(trx, run);
    if (!monitor || locked?.status !== 'preparing') return null;
    if (monitor.deletedAt) return skip(trx, deps, monitor, { run: locked, reason: 'deleted', now });
    if (!(await accounts.isOpen(trx, run.accountId)))
      return skip(trx, deps, monitor, { run: locked, reason: 'account_disabled', now });
    if (!checks || monitor.revision !== seen.revision)
      throw new Error(`monitor ${run.monitorId} was changed while its run began: the job tries again`);
    if (typeof checks === 'string') return skip(trx, deps, monitor, { run: locked, reason: checks, now });
    await subjects.carryMarks(trx, monitor, run.runId);
    return begin(trx, deps, monitor, { run: locked, checks, now });
  });
}

/**
 * Reads what a run checks, or some subjects of it, before its transaction, which must find the monitor in the same
 * revision. Throws InsufficientCreditsError, TokenLimitError, and ApiError when the allowance is used up.
 */
async function prepareChecks(
  deps: RunDeps,
  monitor: monitors.MonitorRow,
  { runId, tokenId, subjectIds }: Pick<NewRun, 'runId' | 'tokenId'> & { subjectIds?: readonly number[] },
): Promise<Checks> {
  const spender = await spending.findSpender(deps.db, tokenId);
  // Before 10,000 rows are read for nothing.
  await requireCovered({ ...deps, spender }, monitor.accountId, subjectIds?.length ?? monitor.subjects);
  await deps.allowance.requireLeft(monitor.accountId);
  const chosen = await subjects.listCurrent(deps.db, monitor, subjectIds);
  const batches = await prepareBatches(deps, requestsOf(monitor, runId, chosen));
  return { spender, count: chosen.length, batches };
}

/** The same for a run that no caller waits for: what would refuse it is why it is skipped. */
async function checksOrReason(...args: Parameters<typeof prepareChecks>): Promise<Checks | SkipReason> {
  try {
    const checks = await prepareChecks(...args);
    return checks.count === 0 ? 'no_subjects' : checks;
  } catch (error) {
    if (error instanceof ledger.InsufficientCreditsError) return 'insufficient_credits';
    if (error instanceof spending.TokenLimitError) return 'token_limit';
    if (error instanceof ApiError && error.code === 'allowance_exhausted') return 'allowance_exhausted';
    throw error;
  }
}

/** As many inputs to a batch as a caller may submit at once, with the run as their submission. */
function requestsOf(
  { accountId, monitorId, type, options, reference, name }: monitors.MonitorRow,
  runId: string,
  chosen: subjects.Subject[],
): BatchRequest[] {
  const batches = Math.ceil(chosen.length / batchSizeMax);
  return Array.from({ length: batches }, (_, nth) => ({
    ...{ accountId, type, options, reference, name },
    inputs: chosen
      .slice(nth * batchSizeMax, (nth + 1) * batchSizeMax)
      .map(({ input }, position) => ({ position, input })),
    skipped: [],
    duplicates: 0,
    webhookUrl: null,
    submissionId: runId,
    run: { monitorId, runId },
  }));
}

/** A run of a monitor that the transaction has locked. It is stored already where a job has read its sitemap. */
interface Starting {
  run: NewRun | runs.RunRow;
  /** The time by which monitors are due. */
  now: Date;
}

function beginOrSkip(
  trx: Trx,
  deps: RunDeps,
  monitor: monitors.MonitorRow,
  { checks, ...starting }: Starting & { checks: Checks | SkipReason },
): Promise<runs.RunRow> {
  return typeof checks === 'string'
    ? skip(trx, deps, monitor, { ...starting, reason: checks })
    : begin(trx, deps, monitor, { ...starting, checks });
}

/** Accepts the batches of a run, which then names its charge. Throws InsufficientCreditsError and TokenLimitError. */
async function begin(
  trx: Trx,
  { boss, allowance }: Pick<RunDeps, 'boss' | 'allowance'>,
  monitor: monitors.MonitorRow,
  { run, now, checks: { spender, count, batches } }: Starting & { checks: Checks },
): Promise<runs.RunRow> {
  const accepted = await acceptBatches(trx, { boss, allowance, spender }, batches);
  const [first] = accepted;
  if (!first) throw new Error('a run without checks was begun');
  if (run.kind === 'check') await monitors.update(trx, monitor, { lastRunAt: now, shortfalls: 0 });
  return save(trx, run, {
    status: 'running',
    batchId: first.batchId,
    batchIds: accepted.map(({ batchId }) => batchId),
    entryNo: first.entryNo,
    creditsCharged: count,
    subjects: count,
    startedAt: now,
  });
}

/** Records why a run does not take place, and notifies about it. */
async function skip(
  trx: Trx,
  deps: NotifyDeps,
  monitor: monitors.MonitorRow,
  { run, reason, now }: Starting & { reason: SkipReason },
): Promise<runs.RunRow> {
  const skipped = await save(trx, run, { status: 'skipped', reason, finishedAt: now });
  await historyPasses.begin(trx, monitor);
  if (run.kind === 'confirmation') return skipped;
  const isNotified = reason !== 'account_disabled' && (await isFirstInRow(trx, monitor, skipped));
  const after = reason === 'insufficient_credits' ? await countShortfall(trx, monitor) : monitor;
  if (isNotified) await notifySkipped(trx, deps, { monitor: after, run: skipped });
  return skipped;
}

function save(
  trx: Trx,
  run: Starting['run'],
  values: Partial<runs.RunRow> & Pick<runs.RunRow, 'status'>,
): Promise<runs.RunRow> {
  return 'createdAt' in run ? runs.update(trx, run, values) : runs.create(trx, { ...run, ...values });
}

/** A lasting reason is notified once, the first time in a row, whatever overlaps lie between. Each overlap is. */
async function isFirstInRow(
  trx: Trx,
  { shortfalls }: monitors.MonitorRow,
  run: runs.RunRow,
): Promise<boolean> {
  if (run.reason === 'overlap') return true;
  // A monitor that was resumed counts anew.
  if (run.reason === 'insufficient_credits') return shortfalls === 0;
  return (await runs.findBefore(trx, run))?.reason !== run.reason;
}

async function countShortfall(trx: Trx, monitor: monitors.MonitorRow): Promise<monitors.MonitorRow> {
  const shortfalls = monitor.shortfalls + 1;
  const values: Partial<monitors.MonitorRow> =
    shortfalls >= shortfallsMax && monitor.status === 'active'
      ? { shortfalls, status: 'paused', pausedReason: 'insufficient_credits', nextRunAt: null }
      : { shortfalls };
  await monitors.update(trx, monitor, values);
  return { ...monitor, ...values };
}

function requireRunnable(monitor: monitors.MonitorRow | null): monitors.MonitorRow {
  if (!monitor) throw noMonitor();
  if (monitor.status === 'completed') throw monitorCompleted();
  return monitor;
}

async function requireNoRun(db: Db | Trx, ref: monitors.MonitorRef): Promise<void> {
  if (await runs.findAtWork(db, ref)) throw runInProgress();
}

/** Returns whether the credits do not cover what was listed last. Throws TokenLimitError when none are left of it. */
async function isUncovered(
  { db }: RunDeps,
  { accountId, subjects: listed }: monitors.MonitorRow,
  tokenId: number | null,
): Promise<boolean> {
  const spender = await spending.findSpender(db, tokenId);
  await spending.requireLeft(db, spender, 1);
  const credits = Math.min(await ledger.balance(db, accountId), await spending.leftOf(db, spender));
  return credits < Math.max(1, listed);
}

/**
 * Does the next step of a run: begins one that is `preparing`, ends one whose batches have ended. It may be called
 * twice. Null when there was nothing to do.
 */
export async function advance(
  deps: RunDeps & { readSitemap: ReadSitemap },
  ref: runs.RunRef,
): Promise<runs.RunRow | null> {
  const run = await runs.find(deps.db, ref);
  if (!run || run.finishedAt) return null;
  return run.status === 'preparing' ? startPrepared(deps, run) : endRun(deps, run);
}
