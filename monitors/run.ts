/**
 * The steps of a monitor's run:
 *
 * 1. A run starts when it is due, when a user starts it, or to confirm losses.
 * 2. If the monitor has a sitemap, the run is stored as `preparing`. A job then reads the sitemap: `startPrepared`.
 * 3. `begin` accepts and charges the batches of the run, which is then `running`. If the run cannot begin, `skip`
 *    records the reason.
 * 4. When the last batch has ended, a job ends the run: end-run.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Allowance } from '../accounts/allowance.ts';
import {
  type AcceptDeps,
  acceptBatches,
  type BatchRequest,
  type PreparedBatch,
  prepareBatches,
  priceOf,
  requireCredits,
} from '../batches/accept.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import { registerForPurge } from '../db/monitors/monitor-purge.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { enqueueRun } from '../db/queue/queue.ts';
import { ApiError } from '../process/api-error.ts';
import { batchSizeMax } from '../schemas/common.ts';
import type { SkipReason } from '../schemas/monitor-types.ts';
import { hasKnownZone, nextDueTime } from './due-times.ts';
import { endRun } from './end-run.ts';
import { concurrentChange, monitorCompleted, monitorNotFound, runInProgress } from './errors.ts';
import { type NotifyDeps, notifySkipped } from './notify.ts';
import { type ReadSitemap, updateFromSitemap } from './sitemap.ts';

export type RunDeps = AcceptDeps & NotifyDeps & { allowance: Pick<Allowance, 'requireRemaining'> };

/** A run that is not yet stored. */
type NewRun = runs.RunRef &
  Pick<runs.RunRow, 'monitorId' | 'kind' | 'tokenId'> &
  Partial<Pick<runs.RunRow, 'dueAt' | 'late' | 'confirms'>>;

interface Checks {
  spender: spending.LimitedToken | null;
  count: number;
  batches: PreparedBatch[];
}

const lateAfterMs = 600_000;
/** Maximum number of unpaid runs in a row. The monitor is then paused until its account can pay for a run. */
const shortfallsMax = 3;

/**
 * Starts the due run of a monitor and sets the next due time, in one transaction. Several missed due times cause only
 * one run, which is then late. Returns null if the monitor is no longer due, or was changed after `snapshot` was read.
 */
export async function startDueRun(deps: RunDeps, snapshot: monitors.MonitorRow): Promise<runs.RunRow | null> {
  const { accountId, monitorId, tokenId } = snapshot;
  const runId = randomUUID();
  const checks =
    snapshot.sitemapUrl === null ? await prepareOrSkipReason(deps, snapshot, { runId, tokenId }) : null;
  return inTransaction(deps.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, snapshot);
    if (!monitor?.nextRunAt || monitor.nextRunAt > now) return null;
    if (monitor.revision !== snapshot.revision || !(await accounts.isOpen(trx, accountId))) return null;
    const dueAt = monitor.nextRunAt;
    const late = now.getTime() - dueAt.getTime() >= lateAfterMs;
    const run: NewRun = { accountId, runId, monitorId, kind: 'check', tokenId, dueAt, late };
    await monitors.update(trx, monitor, { nextRunAt: nextDueTime(monitor.schedule, monitorId, now) });
    if (!hasKnownZone(monitor.schedule))
      return skip(trx, deps, monitor, { run, reason: 'unknown_zone', now });
    // Every run of the monitor takes the lock first. No other run can start after this check.
    if (await runs.findInProgress(trx, monitor))
      return skip(trx, deps, monitor, { run, reason: 'overlap', now });
    return checks ? beginOrSkip(trx, deps, monitor, { run, checks, now }) : createPreparing(trx, deps, run);
  });
}

interface PreparedManualRun {
  snapshot: monitors.MonitorRow;
  run: NewRun;
  /** Null if a job reads the sitemap first. */
  checks: Checks | null;
  /** True if the account probably cannot pay for the URLs of the sitemap. */
  isUncovered: boolean;
}

/**
 * Prepares to run a monitor now. The monitor may be paused. The due times do not change. The run counts against
 * `callerTokenId`. If `callerTokenId` is null, the run counts against the monitor's token. Throws ApiError if the
 * monitor is missing, has no URLs left or has a run in progress. Throws TokenLimitError. For a list, also throws
 * InsufficientCreditsError, and ApiError if the allowance is used up. The price of a sitemap is not yet known.
 */
export async function prepareManualRun(
  deps: RunDeps,
  ref: monitors.MonitorRef,
  callerTokenId: number | null = null,
): Promise<PreparedManualRun> {
  const snapshot = requireRunnable(await monitors.find(deps.db, ref));
  await requireNoRun(deps.db, snapshot);
  const { accountId, monitorId } = snapshot;
  const tokenId = callerTokenId ?? snapshot.tokenId;
  const run: NewRun = { accountId, runId: randomUUID(), monitorId, kind: 'check', tokenId };
  if (snapshot.sitemapUrl === null)
    return { snapshot, run, checks: await prepareChecks(deps, snapshot, run), isUncovered: false };
  return { snapshot, run, checks: null, isUncovered: await isUncovered(deps, snapshot, tokenId) };
}

/**
 * Starts a prepared run. Throws InsufficientCreditsError and TokenLimitError. Throws ApiError if the monitor was
 * changed, or if another run has started.
 */
export async function startManualRun(
  trx: Trx,
  deps: RunDeps,
  { snapshot, run, checks, isUncovered }: PreparedManualRun,
): Promise<runs.RunRow> {
  const now = await clock(trx);
  const monitor = requireRunnable(await monitors.lock(trx, snapshot));
  await requireNoRun(trx, monitor);
  if (monitor.revision !== snapshot.revision) throw concurrentChange();
  if (checks) return begin(trx, deps, monitor, { run, checks, now });
  const prepared = await createPreparing(trx, deps, run);
  // A run that is later skipped for lack of credits costs nothing. Its sitemap therefore counts against the allowance.
  if (isUncovered) await deps.allowance.recordUnbilled(trx, run.accountId, { sitemaps: 1 });
  return prepared;
}

/**
 * Starts the due second check of the losses of a run. If there are not enough credits, the next run decides about the
 * losses. Returns null if there is nothing to confirm.
 */
export async function startConfirmation(deps: RunDeps, ref: runs.RunRef): Promise<runs.RunRow | null> {
  const checked = await runs.find(deps.db, ref);
  const snapshot = checked?.confirmAt ? await monitors.find(deps.db, checked) : null;
  if (!checked || !snapshot) return null;
  const { accountId, monitorId, tokenId, confirmSubjects } = checked;
  const run: NewRun = {
    ...{ accountId, runId: randomUUID(), monitorId, kind: 'confirmation', tokenId },
    confirms: checked.runId,
  };
  const checks = await prepareOrSkipReason(deps, snapshot, { ...run, subjectIds: confirmSubjects });
  return inTransaction(deps.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, snapshot);
    const locked = await runs.lock(trx, ref);
    if (!monitor || !locked?.confirmAt || locked.confirmAt > now) return null;
    if (monitor.revision !== snapshot.revision || !(await accounts.isOpen(trx, accountId))) return null;
    await runs.update(trx, ref, { confirmAt: null, confirmSubjects: [] });
    if (checks === 'no_subjects') return null;
    return beginOrSkip(trx, deps, monitor, { run, checks, now });
  });
}

/** Stores a run, and enqueues the job that reads its sitemap. */
async function createPreparing(trx: Trx, { boss }: Pick<RunDeps, 'boss'>, run: NewRun): Promise<runs.RunRow> {
  const prepared = await runs.create(trx, { ...run, status: 'preparing' });
  await enqueueRun(boss, trx, prepared);
  return prepared;
}

/**
 * Reads the sitemap of a run outside of a transaction. Then begins or skips the run. Returns null if another process
 * was faster.
 */
async function startPrepared(
  deps: RunDeps & { readSitemap: ReadSitemap },
  run: runs.RunRow,
): Promise<runs.RunRow | null> {
  const { db } = deps;
  const isOpen = await accounts.isOpen(db, run.accountId);
  const unread = isOpen ? await monitors.find(db, run) : null;
  if (unread) await updateFromSitemap(deps, unread, run);
  const snapshot = unread && (await monitors.find(db, run));
  const checks = snapshot && (await prepareOrSkipReason(deps, snapshot, run));
  return inTransaction(db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, run, { orDeleted: true });
    const locked = await runs.lock(trx, run);
    if (!monitor || locked?.status !== 'preparing') return null;
    if (monitor.deletedAt) return skip(trx, deps, monitor, { run: locked, reason: 'deleted', now });
    if (!(await accounts.isOpen(trx, run.accountId)))
      return skip(trx, deps, monitor, { run: locked, reason: 'account_disabled', now });
    if (!checks || monitor.revision !== snapshot.revision)
      throw new Error(`monitor ${run.monitorId} was changed while its run began: the job tries again`);
    if (typeof checks === 'string') return skip(trx, deps, monitor, { run: locked, reason: checks, now });
    await subjects.reassignSkipped(trx, monitor, run.runId);
    return begin(trx, deps, monitor, { run: locked, checks, now });
  });
}

/**
 * Prepares the batches of a run with all subjects of the monitor, or only with `subjectIds`. The later transaction must
 * check that the monitor's revision has not changed. Throws InsufficientCreditsError, TokenLimitError, and ApiError if
 * the allowance is used up.
 */
async function prepareChecks(
  deps: RunDeps,
  monitor: monitors.MonitorRow,
  { runId, tokenId, subjectIds }: Pick<NewRun, 'runId' | 'tokenId'> & { subjectIds?: readonly number[] },
): Promise<Checks> {
  const spender = await spending.findSpender(deps.db, tokenId);
  const confirmed = subjectIds && (await subjects.listCurrent(deps.db, monitor, subjectIds));
  // The price is checked first, so that a run that is too expensive fails before 10,000 rows are read.
  const needed = confirmed
    ? priceOf(toBatchRequests(monitor, runId, confirmed))
    : monitor.subjects + monitor.overviews;
  await requireCredits({ ...deps, spender }, monitor.accountId, needed);
  await deps.allowance.requireRemaining(monitor.accountId);
  const chosen = confirmed ?? (await subjects.listCurrent(deps.db, monitor));
  const requests = toBatchRequests(monitor, runId, chosen);
  const batches = await prepareBatches(deps, requests);
  return { spender, count: chosen.length, batches };
}

/** Prepares the checks of a run that no caller waits for. If the run must be skipped, returns the reason. */
async function prepareOrSkipReason(...args: Parameters<typeof prepareChecks>): Promise<Checks | SkipReason> {
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

/**
 * Splits the subjects into batches of the size that callers may submit. The batches share the id of the run as their
 * submission id.
 */
function toBatchRequests(
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

/** A run of a locked monitor. If a job has read the sitemap, the run is already stored. */
interface Starting {
  run: NewRun | runs.RunRow;
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

/** Accepts and charges the batches of a run. Throws InsufficientCreditsError and TokenLimitError. */
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
    creditsCharged: priceOf(batches.map(({ request }) => request)),
    subjects: count,
    startedAt: now,
  });
}

/** Stores a run as skipped and notifies. */
async function skip(
  trx: Trx,
  deps: NotifyDeps,
  monitor: monitors.MonitorRow,
  { run, reason, now }: Starting & { reason: SkipReason },
): Promise<runs.RunRow> {
  const skipped = await save(trx, run, { status: 'skipped', reason, finishedAt: now });
  await registerForPurge(trx, monitor);
  if (run.kind === 'confirmation') return skipped;
  const isFirst = await isFirstInRow(trx, monitor, skipped);
  const updated = reason === 'insufficient_credits' ? await countShortfall(trx, monitor) : monitor;
  const isPausedNow = updated.status !== monitor.status;
  if (reason !== 'account_disabled' && (isFirst || isPausedNow))
    await notifySkipped(trx, deps, { monitor: updated, run: skipped });
  return skipped;
}

function save(
  trx: Trx,
  run: Starting['run'],
  values: Partial<runs.RunRow> & Pick<runs.RunRow, 'status'>,
): Promise<runs.RunRow> {
  return 'createdAt' in run ? runs.update(trx, run, values) : runs.create(trx, { ...run, ...values });
}

/** Returns true for every overlap, and for the first of several runs in a row that are skipped for the same reason. */
async function isFirstInRow(
  trx: Trx,
  { shortfalls }: monitors.MonitorRow,
  run: runs.RunRow,
): Promise<boolean> {
  if (run.reason === 'overlap') return true;
  // `shortfalls` is reset when the monitor is resumed.
  if (run.reason === 'insufficient_credits') return shortfalls === 0;
  return (await runs.findPrevious(trx, run))?.reason !== run.reason;
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
  if (!monitor) throw monitorNotFound();
  if (monitor.status === 'completed') throw monitorCompleted();
  return monitor;
}

async function requireNoRun(db: Db, ref: monitors.MonitorRef): Promise<void> {
  if (await runs.findInProgress(db, ref)) throw runInProgress();
}

/** Returns true if the credits do not cover the last list. Throws TokenLimitError if the token has no credits left. */
async function isUncovered(
  { db }: RunDeps,
  { accountId, subjects: listed }: monitors.MonitorRow,
  tokenId: number | null,
): Promise<boolean> {
  const spender = await spending.findSpender(db, tokenId);
  await spending.requireRemaining(db, spender, 1);
  const credits = Math.min(await ledger.balance(db, accountId), await spending.findRemaining(db, spender));
  return credits < Math.max(1, listed);
}

/**
 * Takes the next step of a run. Begins a run that is `preparing`. Ends a run whose batches have ended. Calls can be
 * repeated. Returns null if there was nothing to do.
 */
export async function advance(
  deps: RunDeps & { readSitemap: ReadSitemap },
  ref: runs.RunRef,
): Promise<runs.RunRow | null> {
  const run = await runs.find(deps.db, ref);
  if (!run || run.finishedAt) return null;
  return run.status === 'preparing' ? startPrepared(deps, run) : endRun(deps, run);
}
