import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { settle } from './settle.ts';
import type { Settled } from './settled.ts';
import { type RunOf, type Teller, tellCompleted, tellRun } from './tell.ts';

const confirmAfterMs = 600_000;

/**
 * Ends a run whose batches have all ended, and with it in one transaction what it has changed, who has left, what is
 * told and when losses are checked again. Null when it has not come to that, or somebody has done it.
 */
export function conclude(
  teller: Teller & { db: Db },
  ref: runs.RunRef & monitors.MonitorRef,
): Promise<runs.RunRow | null> {
  return inTransaction(teller.db, async (trx) => {
    const monitor = await monitors.lock(trx, ref, { orDeleted: true });
    const run = await runs.lock(trx, ref);
    if (!monitor || run?.status !== 'running') return null;
    const { successful, failed, isOver } = await runs.progressOf(trx, run);
    if (!isOver) return null;
    const counted: runs.RunRow = { ...run, checked: successful, failed, status: endOf(successful, failed) };
    const settled: Settled = monitor.deletedAt ? nothing : await settle(trx, monitor, counted);
    const now = await clock(trx);
    const isConfirmed = settled.losses.length > 0 && monitor.status === 'active' && run.kind === 'check';
    const ended: runs.RunRow = {
      ...counted,
      changes: settled.changes,
      finishedAt: now,
      confirmAt: isConfirmed ? new Date(now.getTime() + confirmAfterMs) : null,
      confirmSubjects: isConfirmed ? settled.losses : [],
    };
    const { status, checked, changes, finishedAt, confirmAt, confirmSubjects } = ended;
    await runs.update(trx, run, { status, checked, failed, changes, finishedAt, confirmAt, confirmSubjects });
    if (monitor.stopWhen === 'indexed') await letLeave(trx, teller, { monitor, run: ended }, settled.indexed);
    await tellRun(trx, teller, { monitor, run: ended }, settled);
    return ended;
  });
}

const nothing: Settled = { changes: 0, counts: {}, inline: [], losses: [], indexed: [] };

function endOf(successful: number, failed: number): 'completed' | 'partial' | 'failed' {
  if (failed === 0) return 'completed';
  return successful === 0 ? 'failed' : 'partial';
}

/** With the last of its addresses a monitor is completed; a sitemap may bring others. */
async function letLeave(trx: Trx, teller: Teller, { monitor, run }: RunOf, indexed: number[]): Promise<void> {
  if (indexed.length === 0) return;
  const left = await subjects.leaveSome(trx, monitor, indexed, 'indexed', run.runId);
  const rest = monitor.subjects - left;
  const isCompleted = rest === 0 && monitor.sitemapUrl === null;
  await monitors.update(trx, monitor, {
    subjects: rest,
    revision: monitor.revision + 1,
    ...(isCompleted ? { status: 'completed', pausedReason: null, nextRunAt: null } : {}),
  });
  if (isCompleted) await tellCompleted(trx, teller, { monitor, run });
}
