import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { nextDue } from './due-times.ts';
import { monitorCompleted, noMonitor } from './refusals.ts';

/** Pauses a monitor until somebody resumes it: what is at work ends, what waits to be confirmed is dropped. */
export async function pause(trx: Trx, ref: monitors.MonitorRef): Promise<monitors.MonitorRow> {
  const monitor = await lockUncompleted(trx, ref);
  await runs.dropConfirmations(trx, monitor);
  const paused = { status: 'paused', pausedReason: 'by_hand', nextRunAt: null } as const;
  return changed(trx, monitor, paused);
}

/**
 * Lets a paused monitor go on with its next due time; what it has missed is not caught up. Its runs count against the
 * resuming token, where that has a monthly limit.
 */
export async function resume(
  trx: Trx,
  ref: monitors.MonitorRef,
  tokenId: number | null = null,
): Promise<monitors.MonitorRow> {
  const monitor = await lockUncompleted(trx, ref);
  if (monitor.status === 'active') return monitor;
  await monitors.update(trx, monitor, { tokenId, revision: monitor.revision + 1 });
  return goOn(trx, { ...monitor, tokenId, revision: monitor.revision + 1 });
}

/** The same for one that the transaction has locked. */
export async function goOn(trx: Trx, monitor: monitors.MonitorRow): Promise<monitors.MonitorRow> {
  const nextRunAt = nextDue(monitor.schedule, monitor.monitorId, await clock(trx));
  return changed(trx, monitor, { status: 'active', pausedReason: null, shortfalls: 0, nextRunAt });
}

/** Deletes a monitor: what is at work ends, its batches and the ledger stay, its rows go by a chore. */
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
