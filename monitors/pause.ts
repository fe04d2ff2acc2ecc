import * as accounts from '../db/accounts/accounts.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { nextDue } from './due-times.ts';
import { type NotifyDeps, notifyResumed } from './notify.ts';
import { monitorCompleted, noMonitor } from './refusals.ts';

/** Pauses a monitor until it is resumed. A run in progress ends; losses that wait to be confirmed are dropped. */
export async function pause(trx: Trx, ref: monitors.MonitorRef): Promise<monitors.MonitorRow> {
  const monitor = await lockUncompleted(trx, ref);
  await runs.dropConfirmations(trx, monitor);
  const paused = { status: 'paused', pausedReason: 'by_hand', nextRunAt: null } as const;
  return changed(trx, monitor, paused);
}

/**
 * Resumes a paused monitor with its next due time; missed runs are not caught up. Its runs count against the resuming
 * token, where that has a monthly limit.
 */
export async function resume(
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
export async function remove(trx: Trx, ref: monitors.MonitorRef): Promise<void> {
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
