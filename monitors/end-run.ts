import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { type MonitorRun, type NotifyDeps, notifyCompleted, notifyEnded } from './notify.ts';
import { type RunResults, recordResults } from './record-results.ts';

const confirmAfterMs = 600_000;

/**
 * Ends a run whose batches have all ended. In one transaction, compares and stores the results, schedules the second
 * check of losses, removes indexed URLs, and notifies. Returns null if a batch is still open or the run has ended.
 */
export function endRun(
  deps: NotifyDeps & { db: Db },
  ref: runs.RunRef & monitors.MonitorRef,
): Promise<runs.RunRow | null> {
  return inTransaction(deps.db, async (trx) => {
    const monitor = await monitors.lock(trx, ref, { orDeleted: true });
    const run = await runs.lock(trx, ref);
    if (!monitor || run?.status !== 'running') return null;
    const { successful, failed, isOver } = await runs.sumProgress(trx, run);
    if (!isOver) return null;
    const results: RunResults = monitor.deletedAt ? noResults : await recordResults(trx, monitor, run);
    const now = await clock(trx);
    const needsConfirmation =
      results.losses.length > 0 && monitor.status === 'active' && run.kind === 'check';
    const ended = await runs.update(trx, run, {
      status: toStatus(successful, failed),
      checked: successful,
      failed,
      changes: results.changes,
      finishedAt: now,
      confirmAt: needsConfirmation ? new Date(now.getTime() + confirmAfterMs) : null,
      confirmSubjects: needsConfirmation ? results.losses : [],
    });
    if (monitor.stopWhen === 'indexed')
      await removeIndexed(trx, deps, { monitor, run: ended }, results.indexed);
    await notifyEnded(trx, deps, { monitor, run: ended }, results);
    return ended;
  });
}

const noResults: RunResults = { changes: 0, counts: {}, inline: [], losses: [], indexed: [] };

function toStatus(successful: number, failed: number): 'completed' | 'partial' | 'failed' {
  if (failed === 0) return 'completed';
  return successful === 0 ? 'failed' : 'partial';
}

/**
 * Removes indexed URLs from a monitor. If no URLs are left and the monitor has no sitemap, the monitor is completed.
 */
async function removeIndexed(
  trx: Trx,
  deps: NotifyDeps,
  { monitor, run }: MonitorRun,
  indexed: number[],
): Promise<void> {
  if (indexed.length === 0) return;
  const removed = await subjects.removeSubjects(trx, monitor, indexed, 'indexed', run.runId);
  const rest = monitor.subjects - removed;
  const isCompleted = rest === 0 && monitor.sitemapUrl === null;
  await monitors.update(trx, monitor, {
    subjects: rest,
    revision: monitor.revision + 1,
    ...(isCompleted ? { status: 'completed', pausedReason: null, nextRunAt: null } : {}),
  });
  if (isCompleted) await notifyCompleted(trx, deps, { monitor, run });
}
