import { requireCovered } from '../batches/accept.ts';
import * as ledger from '../db/ledger/ledger.ts';
import { findSpender, leftOf, requireLeft, type Spender } from '../db/ledger/token-spending.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { begin } from './begin.ts';
import { type Checks, prepareChecks } from './checks.ts';
import { changedMeanwhile, monitorCompleted, noMonitor, runInProgress } from './refusals.ts';
import { prepare, type Starter } from './start-due.ts';

/** A run that is about to be started by hand. */
export interface PreparedStart {
  seen: monitors.MonitorRow;
  spender: Spender | null;
  /** Null where a job reads its sitemap first. */
  checks: Checks | null;
}

/**
 * Prepares to run a monitor now, paused or not; its due times stay. Refused when there is no such monitor, it has no
 * URLs left, or a run is at work. Throws InsufficientCreditsError and TokenLimitError; of a sitemap this is not known
 * before it has been read. The run counts against the caller's token, where that has a limit, and otherwise against the
 * monitor's.
 */
export async function prepareStart(
  starter: Starter,
  ref: monitors.MonitorRef,
  { caller = null }: { caller?: Spender | null } = {},
): Promise<PreparedStart> {
  const seen = await runnable(starter.db, ref, monitors.find);
  const spender = caller ?? (await findSpender(starter.db, seen.tokenId));
  if (seen.sitemapUrl !== null) {
    await admitUnpaid(starter, seen, spender);
    return { seen, spender, checks: null };
  }
  // A look at a row, before ten thousand are read for nothing.
  await requireCovered({ db: starter.db, spender }, seen.accountId, seen.subjects);
  const checks = await prepareChecks(starter, seen, { spender });
  if (checks.refused) throw checks.refused;
  return { seen, spender, checks };
}

/** Starts such a run. Refused when the monitor was changed or started since. Throws InsufficientCreditsError. */
export async function startByHand(
  trx: Trx,
  starter: Starter,
  { seen, spender, checks }: PreparedStart,
): Promise<runs.RunRow> {
  const now = await clock(trx);
  const monitor = await runnable(trx, seen, monitors.lock);
  if (monitor.revision !== seen.revision) throw changedMeanwhile();
  const opening = { kind: 'check' as const, tokenId: spender?.tokenId ?? null };
  if (!checks) return prepare(trx, starter, monitor, opening);
  return begin(trx, starter, monitor, { opening, checks, now });
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
