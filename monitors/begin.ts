import type { Trx } from '../db/connect.ts';
import * as runs from '../db/monitor-runs.ts';
import type { MonitorRow } from '../db/monitors.ts';
import * as monitors from '../db/monitors.ts';
import * as subjects from '../db/subjects.ts';
import type { Checks } from './checks.ts';

/** What is known of a run before it begins. */
export type Opening = Pick<runs.RunRow, 'kind'> & Partial<Pick<runs.RunRow, 'dueAt' | 'late' | 'confirms'>>;

/**
 * Begins a run of a monitor that the transaction has locked: its batches, their charge and their jobs, and the run,
 * which names the charge. `now`: the moment by which monitors are due. Throws InsufficientCreditsError.
 */
export async function begin(
  trx: Trx,
  monitor: MonitorRow,
  checks: Checks,
  opening: Opening,
  now: Date,
): Promise<runs.RunRow> {
  const ref = { accountId: monitor.accountId, runId: checks.runId };
  await runs.create(trx, {
    ...ref,
    ...opening,
    monitorId: monitor.monitorId,
    status: 'running',
    ...(await charged(trx, monitor, checks, now)),
  });
  if (opening.kind === 'check') await monitors.update(trx, monitor, { lastRunAt: now, shortfalls: 0 });
  return found(trx, ref);
}

/** The same for a run whose sitemap has been read, which the transaction has locked too. */
export async function beginPrepared(
  trx: Trx,
  monitor: MonitorRow,
  checks: Checks,
  now: Date,
): Promise<runs.RunRow> {
  const ref = { accountId: monitor.accountId, runId: checks.runId };
  await subjects.carryMarks(trx, monitor, checks.runId);
  await runs.update(trx, ref, { status: 'running', ...(await charged(trx, monitor, checks, now)) });
  await monitors.update(trx, monitor, { lastRunAt: now, shortfalls: 0 });
  return found(trx, ref);
}

async function charged(trx: Trx, { accountId }: MonitorRow, checks: Checks, now: Date) {
  const accepted = await checks.accept(trx);
  const [first] = accepted;
  if (!first) throw new Error('a run without checks was begun');
  return {
    batchId: first.batchId,
    batchIds: accepted.map(({ batchId }) => batchId),
    entryNo: await runs.chargeOf(trx, accountId, first.batchId),
    creditsCharged: checks.count,
    subjects: checks.count,
    startedAt: now,
  };
}

async function found(trx: Trx, ref: runs.RunRef): Promise<runs.RunRow> {
  const run = await runs.find(trx, ref);
  if (!run) throw new Error(`run ${ref.runId} is not there`);
  return run;
}
