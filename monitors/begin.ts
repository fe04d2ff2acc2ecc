import { type AcceptDeps, acceptBatches } from '../batches/accept.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import type { MonitorRow } from '../db/monitors/monitors.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { Checks } from './checks.ts';

/** What is known of a run before it begins. */
export type Opening = Pick<runs.RunRow, 'kind'> &
  Partial<Pick<runs.RunRow, 'dueAt' | 'late' | 'confirms' | 'tokenId'>>;

interface Beginning {
  checks: Checks;
  /** The moment by which monitors are due. */
  now: Date;
}

/**
 * Begins a run of a monitor that the transaction has locked: its batches, their charge and their jobs, and the run,
 * which names the charge. The monitor is due next when it says so by now. Throws InsufficientCreditsError.
 */
export async function begin(
  trx: Trx,
  deps: Pick<AcceptDeps, 'boss'>,
  monitor: MonitorRow,
  { opening, checks, now }: Beginning & { opening: Opening },
): Promise<runs.RunRow> {
  const { accountId, monitorId, nextRunAt } = monitor;
  const paid = await charged(trx, deps, { checks, now });
  const run = { accountId, runId: checks.runId, ...opening, monitorId, status: 'running' as const, ...paid };
  const begun = await runs.create(trx, run);
  if (opening.kind === 'check')
    await monitors.update(trx, monitor, { nextRunAt, lastRunAt: now, shortfalls: 0 });
  return begun;
}

/** The same for a run whose sitemap has been read, which the transaction has locked too. */
export async function beginPrepared(
  trx: Trx,
  deps: Pick<AcceptDeps, 'boss'>,
  monitor: MonitorRow,
  { checks, now }: Beginning,
): Promise<runs.RunRow> {
  const ref = { accountId: monitor.accountId, runId: checks.runId };
  await subjects.carryMarks(trx, monitor, checks.runId);
  const paid = await charged(trx, deps, { checks, now });
  await monitors.update(trx, monitor, { lastRunAt: now, shortfalls: 0 });
  return runs.update(trx, ref, { status: 'running', ...paid });
}

async function charged(trx: Trx, { boss }: Pick<AcceptDeps, 'boss'>, { checks, now }: Beginning) {
  const accepted = await acceptBatches(trx, { boss, spender: checks.spender }, checks.prepared);
  const [first] = accepted;
  if (!first) throw new Error('a run without checks was begun');
  return {
    batchId: first.batchId,
    batchIds: accepted.map(({ batchId }) => batchId),
    entryNo: first.entryNo,
    creditsCharged: checks.count,
    subjects: checks.count,
    startedAt: now,
  };
}
