import { randomUUID } from 'node:crypto';
import type { Allowance } from '../accounts/allowance.ts';
import { keptList } from '../accounts/unbilled.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { CheckType, InputOf } from '../schemas/check-types.ts';
import { subjectsMax } from '../schemas/monitor-words.ts';
import { nextDue } from './due-times.ts';
import { type NotifyDeps, notifyResumed } from './notify.ts';
import { monitorCompleted, noMonitor, tooManyMonitors } from './refusals.ts';

export interface RequestedMonitor extends monitors.MonitorTerms {
  accountId: number;
  type: CheckType;
  /** The creating token, where it has a monthly limit; null otherwise. */
  tokenId: number | null;
  /** The list, or what the sitemap lists. */
  inputs: InputOf[];
}

interface ListDeps {
  allowance: Pick<Allowance, 'recordUnbilled'>;
}

/**
 * Creates a monitor, active and due at its next time. Its list costs no credit until it is checked, so it counts
 * against the allowance. Throws ApiError if the account has reached its limit.
 */
export async function createMonitor(
  trx: Trx,
  { allowance, monitorsMax }: ListDeps & { monitorsMax: number },
  { inputs, ...request }: RequestedMonitor,
): Promise<monitors.MonitorRow> {
  const ref = { accountId: request.accountId, monitorId: randomUUID() };
  await monitors.lockOwner(trx, ref.accountId);
  const has = await monitors.count(trx, ref.accountId, {}, monitorsMax);
  if (has >= monitorsMax) throw tooManyMonitors(monitorsMax);
  const now = await clock(trx);
  const chosen = inputs.slice(0, request.subjectsMax);
  const monitor = await monitors.create(trx, {
    ...request,
    ...ref,
    subjects: chosen.length,
    nextRunAt: nextDue(request.schedule, ref.monitorId, now),
    sitemapReadAt: request.sitemapUrl === null ? null : now,
  });
  await subjects.replace(trx, ref, { inputs: chosen, leftReason: 'removed', runId: null });
  await allowance.recordUnbilled(trx, ref.accountId, keptList(chosen));
  return monitor;
}

/** The default of `subjects_max`: a sitemap may grow to twice its size. */
export function boundOf(sitemapUrl: string | null, listed: number): number {
  return sitemapUrl === null ? subjectsMax : Math.min(subjectsMax, 2 * listed);
}

export interface MonitorEdit {
  /** Returns the new terms of a monitor whose row is locked. Throws a 422 for terms that contradict each other. */
  termsOf(monitor: monitors.MonitorRow): monitors.MonitorTerms;
  /** The changing token, where it has a monthly limit; null otherwise. Runs count against it from now on. */
  tokenId: number | null;
  /** What it checks from now on; null where that stays. */
  inputs: InputOf[] | null;
}

/**
 * Changes a monitor from its next run on; a run in progress is not affected. A completed monitor that gets a list is
 * active again. A new list counts against the allowance.
 */
export async function changeMonitor(
  trx: Trx,
  { allowance }: ListDeps,
  ref: monitors.MonitorRef,
  change: MonitorEdit,
): Promise<monitors.MonitorRow> {
  const monitor = await monitors.lock(trx, ref);
  if (!monitor) throw noMonitor();
  const terms = change.termsOf(monitor);
  const chosen = await chosenOf();
  const isRevived = monitor.status === 'completed' && change.inputs !== null;
  const status = isRevived ? 'active' : monitor.status;
  const now = await clock(trx);
  const isMoved = JSON.stringify(terms.schedule) !== JSON.stringify(monitor.schedule);
  const isDueAnew = status === 'active' && (isMoved || isRevived);
  await monitors.update(trx, ref, {
    ...terms,
    tokenId: change.tokenId,
    status,
    revision: monitor.revision + 1,
    ...(chosen ? { subjects: chosen.length, doubtedCount: null } : {}),
    ...(isDueAnew ? { nextRunAt: nextDue(terms.schedule, monitor.monitorId, now) } : {}),
    ...(change.inputs && terms.sitemapUrl !== null ? { sitemapReadAt: now } : {}),
  });
  if (chosen) await subjects.replace(trx, ref, { inputs: chosen, leftReason: 'removed', runId: null });
  if (chosen && change.inputs) await allowance.recordUnbilled(trx, ref.accountId, keptList(chosen));
  return (await monitors.find(trx, ref)) ?? monitor;

  async function chosenOf(): Promise<InputOf[] | null> {
    if (change.inputs) return change.inputs.slice(0, terms.subjectsMax);
    if (monitor === null || monitor.subjects <= terms.subjectsMax) return null;
    const current = await subjects.listCurrent(trx, ref);
    return current.slice(0, terms.subjectsMax).map(({ input }) => input);
  }
}

/** Pauses a monitor until it is resumed. A run in progress ends; losses that wait to be confirmed are dropped. */
export async function pauseMonitor(trx: Trx, ref: monitors.MonitorRef): Promise<monitors.MonitorRow> {
  const monitor = await lockUncompleted(trx, ref);
  await runs.dropConfirmations(trx, monitor);
  const paused = { status: 'paused', pausedReason: 'by_hand', nextRunAt: null } as const;
  return changed(trx, monitor, paused);
}

/**
 * Resumes a paused monitor with its next due time; missed runs are not caught up. Its runs count against the resuming
 * token, where that has a monthly limit.
 */
export async function resumeMonitor(
  trx: Trx,
  ref: monitors.MonitorRef,
  tokenId: number | null = null,
): Promise<monitors.MonitorRow> {
  const monitor = await lockUncompleted(trx, ref);
  if (monitor.status === 'active') return monitor;
  await monitors.update(trx, monitor, { tokenId, revision: monitor.revision + 1 });
  return activate(trx, { ...monitor, tokenId, revision: monitor.revision + 1 });
}

/** Resumes a monitor that was paused for want of credits, and notifies. False when it is no longer paused for that. */
export async function resumeUnpaid(trx: Trx, deps: NotifyDeps, ref: monitors.MonitorRef): Promise<boolean> {
  const monitor = await monitors.lock(trx, ref);
  if (monitor?.pausedReason !== 'insufficient_credits') return false;
  if (!(await accounts.isOpen(trx, ref.accountId))) return false;
  await notifyResumed(trx, deps, await activate(trx, monitor));
  return true;
}

async function activate(trx: Trx, monitor: monitors.MonitorRow): Promise<monitors.MonitorRow> {
  const nextRunAt = nextDue(monitor.schedule, monitor.monitorId, await clock(trx));
  return changed(trx, monitor, { status: 'active', pausedReason: null, shortfalls: 0, nextRunAt });
}

/** Deletes a monitor. A run in progress ends, batches and ledger stay; a chore removes the rows. */
export async function deleteMonitor(trx: Trx, ref: monitors.MonitorRef): Promise<void> {
  const monitor = await monitors.lock(trx, ref);
  if (!monitor) throw noMonitor();
  await runs.dropConfirmations(trx, monitor);
  await monitors.update(trx, monitor, { deletedAt: await clock(trx), nextRunAt: null });
}

async function lockUncompleted(trx: Trx, ref: monitors.MonitorRef): Promise<monitors.MonitorRow> {
  const monitor = await monitors.lock(trx, ref);
  if (!monitor) throw noMonitor();
  if (monitor.status === 'completed') throw monitorCompleted();
  return monitor;
}

async function changed(
  trx: Trx,
  monitor: monitors.MonitorRow,
  values: Partial<monitors.MonitorRow>,
): Promise<monitors.MonitorRow> {
  await monitors.update(trx, monitor, values);
  return { ...monitor, ...values };
}
