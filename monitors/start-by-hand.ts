import assert from 'node:assert/strict';
import { requireCredits } from '../batches/accept.ts';
import type { Act } from '../db/act.ts';
import { clock } from '../db/clock.ts';
import type { Db, Trx } from '../db/connect.ts';
import * as ledger from '../db/ledger.ts';
import * as runs from '../db/monitor-runs.ts';
import * as monitors from '../db/monitors.ts';
import { begin } from './begin.ts';
import { type Checks, prepareChecks } from './checks.ts';
import { changedMeanwhile, monitorCompleted, noMonitor, runInProgress } from './refusals.ts';
import { prepare, type Starter } from './start-due.ts';

/**
 * Runs a monitor now, paused or not; its due times stay. Refused when there is no such monitor, all of it has left, or
 * a run is at work. Throws InsufficientCreditsError; of a sitemap it is not known before it has been read.
 */
export function startByHand(starter: Starter, ref: monitors.MonitorRef): Act<runs.RunRow> {
  let checks: Checks | null = null;
  let seen: monitors.MonitorRow | null = null;
  return {
    before: async () => {
      seen = await runnable(starter.db, ref, monitors.find);
      if (seen.sitemapUrl !== null) return admitUnpaid(starter, seen);
      // A look at a row, before ten thousand are read for nothing.
      await requireCredits(starter.db, seen.accountId, seen.subjects);
      checks = await prepareChecks(starter, seen, { isCovered: false });
      if (checks.refused) throw checks.refused;
    },
    perform: async (trx) => {
      assert(seen, 'a run is prepared before its transaction');
      const now = await clock(trx);
      const monitor = await runnable(trx, ref, monitors.lock);
      if (monitor.revision !== seen.revision) throw changedMeanwhile();
      if (!checks) return prepare(trx, starter, monitor, { kind: 'check' });
      return begin(trx, monitor, { opening: { kind: 'check' }, checks, now });
    },
  };
}

/** A run that its account can likely not pay is stored all the same, and reads its list: it weighs as a sitemap. */
async function admitUnpaid({ db, allowance }: Starter, monitor: monitors.MonitorRow): Promise<void> {
  const isPaid = (await ledger.balance(db, monitor.accountId)) >= Math.max(1, monitor.subjects);
  if (!isPaid) await allowance.take(monitor.accountId, { sitemaps: 1 });
}

async function runnable<D extends Db | Trx>(
  from: D,
  ref: monitors.MonitorRef,
  read: (from: D, ref: monitors.MonitorRef) => Promise<monitors.MonitorRow | null>,
): Promise<monitors.MonitorRow> {
  const monitor = await read(from, ref);
  if (!monitor) throw noMonitor();
  if (monitor.status === 'completed') throw monitorCompleted();
  if (await runs.findAtWork(from, ref)) throw runInProgress();
  return monitor;
}
