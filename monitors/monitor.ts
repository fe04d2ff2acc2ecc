import { randomUUID } from 'node:crypto';
import type { Allowance } from '../accounts/allowance.ts';
import { unbilledByList } from '../accounts/unbilled.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { CheckType, InputOf } from '../schemas/check-types.ts';
import { wantsOverview } from '../schemas/features.ts';
import { subjectsMax } from '../schemas/monitor-types.ts';
import { nextDueTime } from './due-times.ts';
import {
  listFromSitemap,
  listTooLarge,
  listTooLong,
  monitorCompleted,
  monitorNotFound,
  tooManyMonitors,
} from './errors.ts';
import { type NotifyDeps, notifyResumed } from './notify.ts';

export interface CreateMonitorInput extends monitors.MonitorSettings {
  accountId: number;
  type: CheckType;
  /** The token that creates the monitor. Null if this token has no monthly limit. */
  tokenId: number | null;
  inputs: InputOf[];
}

/**
 * Maximum size of a list in bytes. It limits the time to read a list. Request bodies of the API have the same limit.
 */
export const listBytesMax = 8 * 1024 * 1024;

interface ListDeps {
  allowance: Pick<Allowance, 'recordUnbilled'>;
}

/**
 * Creates an active monitor. Storing its list costs no credits, but counts against the allowance. Throws ApiError if
 * the account has reached its limit of monitors.
 */
export async function createMonitor(
  trx: Trx,
  { allowance, monitorsMax }: ListDeps & { monitorsMax: number },
  { inputs, ...request }: CreateMonitorInput,
): Promise<monitors.MonitorRow> {
  const ref = { accountId: request.accountId, monitorId: randomUUID() };
  await monitors.lockAccount(trx, ref.accountId);
  const has = await monitors.count(trx, ref.accountId, {}, monitorsMax);
  if (has >= monitorsMax) throw tooManyMonitors(monitorsMax);
  const now = await clock(trx);
  const chosen = inputs.slice(0, request.subjectsMax);
  const monitor = await monitors.create(trx, {
    ...request,
    ...ref,
    ...countSubjects(chosen),
    nextRunAt: nextDueTime(request.schedule, ref.monitorId, now),
    sitemapReadAt: request.sitemapUrl === null ? null : now,
  });
  await subjects.replace(trx, ref, { inputs: chosen, removalReason: 'removed', runId: null });
  await allowance.recordUnbilled(trx, ref.accountId, unbilledByList(chosen));
  return monitor;
}

function countSubjects(inputs: InputOf[]): Pick<monitors.MonitorRow, 'subjects' | 'overviews'> {
  return { subjects: inputs.length, overviews: inputs.filter(wantsOverview).length };
}

/** Returns the default of `subjects_max`. A sitemap may grow to twice its size. */
export function defaultSubjectsMax(sitemapUrl: string | null, listed: number): number {
  return sitemapUrl === null ? subjectsMax : Math.min(subjectsMax, 2 * listed);
}

export interface MonitorEdit {
  /** Returns the new terms of a locked monitor. Throws a 422 for terms that contradict each other. */
  toTerms(monitor: monitors.MonitorRow): monitors.MonitorSettings;
  /** The token that makes the change. Later runs count against its limit. Null if the token has no monthly limit. */
  tokenId: number | null;
  /** The new list; null if the list does not change. */
  inputs: InputOf[] | null;
}

/**
 * Changes a monitor from the next run on. A run in progress does not change. A completed monitor that gets a list is
 * active again. A new list counts against the allowance.
 */
export async function changeMonitor(
  trx: Trx,
  { allowance }: ListDeps,
  ref: monitors.MonitorRef,
  change: MonitorEdit,
): Promise<monitors.MonitorRow> {
  const monitor = await monitors.lock(trx, ref);
  if (!monitor) throw monitorNotFound();
  const terms = change.toTerms(monitor);
  const chosen = await chooseInputs(trx, monitor, terms, change);
  const isReactivated = monitor.status === 'completed' && change.inputs !== null;
  const status = isReactivated ? 'active' : monitor.status;
  const now = await clock(trx);
  const isScheduleChanged = JSON.stringify(terms.schedule) !== JSON.stringify(monitor.schedule);
  const isRescheduled = status === 'active' && (isScheduleChanged || isReactivated);
  const changed = await update(trx, monitor, {
    ...terms,
    tokenId: change.tokenId,
    status,
    revision: monitor.revision + 1,
    ...(chosen ? { ...countSubjects(chosen), doubtedCount: null } : {}),
    ...(isRescheduled ? { nextRunAt: nextDueTime(terms.schedule, monitor.monitorId, now) } : {}),
    ...(change.inputs && terms.sitemapUrl !== null ? { sitemapReadAt: now } : {}),
  });
  if (chosen) await subjects.replace(trx, ref, { inputs: chosen, removalReason: 'removed', runId: null });
  if (change.inputs) await allowance.recordUnbilled(trx, ref.accountId, unbilledByList(change.inputs));
  return changed;
}

/** Returns the list after a change; null if the list does not change. */
async function chooseInputs(
  trx: Trx,
  monitor: monitors.MonitorRow,
  { subjectsMax }: monitors.MonitorSettings,
  { inputs }: MonitorEdit,
): Promise<InputOf[] | null> {
  if (inputs) return inputs.slice(0, subjectsMax);
  if (monitor.subjects <= subjectsMax) return null;
  const current = await subjects.listCurrent(trx, monitor);
  return current.slice(0, subjectsMax).map(({ input }) => input);
}

/**
 * Adds entries to the list of a monitor, from the next run on. Entries that the list already contains do not change.
 * The entries count against the allowance. Throws ApiError if the list becomes too long, or comes from a sitemap.
 */
export async function addToMonitor(
  trx: Trx,
  { allowance }: ListDeps,
  ref: monitors.MonitorRef,
  inputs: InputOf[],
): Promise<void> {
  const monitor = await lockUncompleted(trx, ref);
  if (monitor.sitemapUrl !== null) throw listFromSitemap();
  const added = await subjects.withoutCurrent(trx, ref, inputs);
  const count = monitor.subjects + added.length;
  if (count > monitor.subjectsMax) throw listTooLong(count, monitor.subjectsMax);
  const { bytes, nextPosition } = await subjects.measure(trx, ref);
  if (bytes + Buffer.byteLength(JSON.stringify(added)) > listBytesMax) throw listTooLarge();
  await subjects.append(trx, ref, added, nextPosition);
  await monitors.update(trx, ref, {
    subjects: count,
    overviews: monitor.overviews + countSubjects(added).overviews,
    tokenId: null,
    revision: monitor.revision + 1,
  });
  await allowance.recordUnbilled(trx, ref.accountId, unbilledByList(inputs));
}

/** Pauses a monitor. A run in progress finishes, but its losses are not confirmed. */
export async function pauseMonitor(trx: Trx, ref: monitors.MonitorRef): Promise<monitors.MonitorRow> {
  const monitor = await lockUncompleted(trx, ref);
  await runs.dropConfirmations(trx, monitor);
  const paused = { status: 'paused', pausedReason: 'by_hand', nextRunAt: null } as const;
  return update(trx, monitor, paused);
}

/**
 * Resumes a paused monitor at its next due time. Missed runs are not repeated. Later runs count against `tokenId`, the
 * token that resumes the monitor; null if the token has no monthly limit.
 */
export async function resumeMonitor(
  trx: Trx,
  ref: monitors.MonitorRef,
  tokenId: number | null = null,
): Promise<monitors.MonitorRow> {
  const monitor = await lockUncompleted(trx, ref);
  if (monitor.status === 'active') return monitor;
  return activate(trx, monitor, { tokenId, revision: monitor.revision + 1 });
}

/**
 * Resumes a monitor that was paused for lack of credits, and notifies. Returns false if the monitor is no longer paused
 * for lack of credits.
 */
export async function resumeAfterShortfall(
  trx: Trx,
  deps: NotifyDeps,
  ref: monitors.MonitorRef,
): Promise<boolean> {
  const monitor = await monitors.lock(trx, ref);
  if (monitor?.pausedReason !== 'insufficient_credits') return false;
  if (!(await accounts.isOpen(trx, ref.accountId))) return false;
  await notifyResumed(trx, deps, await activate(trx, monitor));
  return true;
}

async function activate(
  trx: Trx,
  monitor: monitors.MonitorRow,
  values: Partial<monitors.MonitorRow> = {},
): Promise<monitors.MonitorRow> {
  const nextRunAt = nextDueTime(monitor.schedule, monitor.monitorId, await clock(trx));
  return update(trx, monitor, { ...values, status: 'active', pausedReason: null, shortfalls: 0, nextRunAt });
}

/** Marks a monitor as deleted. A chore removes its rows. A run in progress finishes. Batches and ledger stay. */
export async function deleteMonitor(trx: Trx, ref: monitors.MonitorRef): Promise<void> {
  const monitor = await monitors.lock(trx, ref);
  if (!monitor) throw monitorNotFound();
  await runs.dropConfirmations(trx, monitor);
  await monitors.update(trx, monitor, { deletedAt: await clock(trx), nextRunAt: null });
}

async function lockUncompleted(trx: Trx, ref: monitors.MonitorRef): Promise<monitors.MonitorRow> {
  const monitor = await monitors.lock(trx, ref);
  if (!monitor) throw monitorNotFound();
  if (monitor.status === 'completed') throw monitorCompleted();
  return monitor;
}

async function update(
  trx: Trx,
  monitor: monitors.MonitorRow,
  values: Partial<monitors.MonitorRow>,
): Promise<monitors.MonitorRow> {
  await monitors.update(trx, monitor, values);
  return { ...monitor, ...values };
}
