import assert from 'node:assert/strict';
import { requireCredits } from '../batches/accept.ts';
import * as ledger from '../db/ledger/ledger.ts';
import { findSpender, leftOf, requireLeft, type Spender } from '../db/ledger/token-spending.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import type { Act } from '../db/postgres/act.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { begin } from './begin.ts';
import { type Checks, prepareChecks } from './checks.ts';
import { changedMeanwhile, monitorCompleted, noMonitor, runInProgress } from './refusals.ts';
import { prepare, type Starter } from './start-due.ts';

/**
 * Runs a monitor now, paused or not; its due times stay. Refused when there is no such monitor, all of it has left, or
 * a run is at work. Throws InsufficientCreditsError and TokenLimitError; of a sitemap it is not known before it has
 * been read. It counts against the caller's token, where that has a limit, and otherwise against the monitor's.
 */
export function startByHand(
  starter: Starter,
  ref: monitors.MonitorRef,
  { caller = null }: { caller?: Spender | null } = {},
): Act<runs.RunRow> {
  let checks: Checks | null = null;
  let spender: Spender | null = null;
  let seen: monitors.MonitorRow | null = null;
  return {
    before: async () => {
      seen = await runnable(starter.db, ref, monitors.find);
      spender = caller ?? (await findSpender(starter.db, seen.tokenId));
      if (seen.sitemapUrl !== null) return admitUnpaid(starter, seen, spender);
      // A look at a row, before ten thousand are read for nothing.
      await requireCredits(starter.db, seen.accountId, seen.subjects);
      await requireLeft(starter.db, spender, seen.subjects);
      checks = await prepareChecks(starter, seen, { isCovered: false, spender });
      if (checks.refused) throw checks.refused;
    },
    perform: async (trx) => {
      assert(seen, 'a run is prepared before its transaction');
      const now = await clock(trx);
      const monitor = await runnable(trx, ref, monitors.lock);
      if (monitor.revision !== seen.revision) throw changedMeanwhile();
      const opening = { kind: 'check' as const, tokenId: spender?.tokenId ?? null };
      if (!checks) return prepare(trx, starter, monitor, opening);
      return begin(trx, monitor, { opening, checks, now });
    },
  };
}

/** A run that its account can likely not pay is stored all the same, and reads its list: it weighs as a sitemap. */
async function admitUnpaid(
  { db, allowance }: Starter,
  monitor: monitors.MonitorRow,
  spender: Spender | null,
): Promise<void> {
  await requireLeft(db, spender, 1);
  const credits = Math.min(await ledger.balance(db, monitor.accountId), await leftOf(db, spender));
  const isPaid = credits >= Math.max(1, monitor.subjects);
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
