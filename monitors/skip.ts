import { randomUUID } from 'node:crypto';
import * as historyPasses from '../db/monitors/history-passes.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { SkipReason } from '../schemas/monitor-words.ts';
import type { Opening } from './begin.ts';
import { type RunOf, type Teller, tellSkipped } from './tell.ts';

/** After so many runs in a row that could not be paid for a monitor is paused, until they can be. */
const shortfallsMax = 3;

interface Skipped {
  reason: SkipReason;
  /** The moment by which monitors are due. */
  now: Date;
}

/** Notes that a run of a monitor, which the transaction has locked, does not take place, and tells it. */
export async function skip(
  trx: Trx,
  teller: Teller,
  monitor: monitors.MonitorRow,
  { opening, reason, now }: Skipped & { opening: Opening },
): Promise<runs.RunRow> {
  const { accountId, monitorId } = monitor;
  const ended = { status: 'skipped', reason, finishedAt: now } as const;
  const run = await runs.create(trx, { accountId, runId: randomUUID(), monitorId, ...opening, ...ended });
  return noteSkipped(trx, teller, { monitor, run });
}

/** The same of one that was being prepared, which the transaction has locked too. */
export async function skipPrepared(
  trx: Trx,
  teller: Teller,
  { monitor, run }: RunOf,
  { reason, now }: Skipped,
): Promise<runs.RunRow> {
  const skipped = await runs.update(trx, run, { status: 'skipped', reason, finishedAt: now });
  return noteSkipped(trx, teller, { monitor, run: skipped });
}

async function noteSkipped(trx: Trx, teller: Teller, { monitor, run }: RunOf): Promise<runs.RunRow> {
  await historyPasses.begin(trx, monitor);
  const after = await countShortfall(trx, monitor, run);
  // Nobody is there to be told.
  if (run.reason === 'account_disabled') return run;
  if (run.kind === 'check' && (await isFirstOfRow(trx, monitor, run)))
    await tellSkipped(trx, teller, { monitor: after, run });
  return run;
}

/** What lasts is told once, the first time of a row of them, whatever overlaps lie between; each overlap is. */
async function isFirstOfRow(trx: Trx, monitor: monitors.MonitorRow, run: runs.RunRow): Promise<boolean> {
  if (run.reason === 'overlap') return true;
  // One that was resumed counts anew.
  if (run.reason === 'insufficient_credits') return monitor.shortfalls === 0;
  return (await runs.findBefore(trx, run))?.reason !== run.reason;
}

/** A monitor that could not pay for its third run in a row is paused, until its account can. */
async function countShortfall(
  trx: Trx,
  monitor: monitors.MonitorRow,
  { reason, kind }: runs.RunRow,
): Promise<monitors.MonitorRow> {
  if (reason !== 'insufficient_credits' || kind !== 'check') return monitor;
  const shortfalls = monitor.shortfalls + 1;
  const isPaused = shortfalls >= shortfallsMax && monitor.status === 'active';
  const values: Partial<monitors.MonitorRow> = isPaused
    ? { shortfalls, status: 'paused', pausedReason: 'insufficient_credits', nextRunAt: null }
    : { shortfalls };
  await monitors.update(trx, monitor, values);
  return { ...monitor, ...values };
}
