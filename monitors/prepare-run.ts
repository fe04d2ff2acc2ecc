import * as accounts from '../db/accounts/accounts.ts';
import { findSpender, leftOf } from '../db/ledger/token-spending.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import type { SkipReason } from '../schemas/monitor-words.ts';
import { beginPrepared } from './begin.ts';
import { prepareChecks } from './checks.ts';
import { chooseOf, mayRead, type ReadSitemap } from './read-sitemap.ts';
import { skipPrepared } from './skip.ts';
import { type Starter, whyNot } from './start-due.ts';

/** A sitemap that was not read in this time is not waited for. */
export const preparingSeconds = 300;

/**
 * Reads the sitemap that a run was prepared for, with no transaction open, and begins the run. One that cannot be
 * read, is empty or lost more than half is doubted: the list of before is checked. For an account that is disabled
 * nothing is read, and the run is skipped. Null when the run is not to begin any more.
 */
export async function prepareRun(
  starter: Starter & { readSitemap: ReadSitemap },
  run: runs.RunRow,
): Promise<runs.RunRow | null> {
  const { db } = starter;
  const monitor = await monitors.find(db, run, { orDeleted: true });
  if (!monitor || run.status !== 'preparing') return null;
  const isOpen = await accounts.isOpen(db, run.accountId);
  if (!monitor.deletedAt && isOpen) await takeOver(starter, monitor, run);
  for (let tries = 1; tries <= triesMax; tries++) {
    const begun = await beginAsItIs(starter, run);
    if (begun !== movedOn) return begun;
  }
  throw new Error(`monitor ${run.monitorId} was changed ${triesMax} times while a run of it was prepared`);
}

/** Whoever changes a monitor as fast as that has its run begun by the next try of the job. */
const triesMax = 5;
const movedOn = Symbol('moved on');

/** Begins a run with what its monitor checks now, or skips it; `movedOn` when that was another moment. */
async function beginAsItIs(starter: Starter, run: runs.RunRow): Promise<runs.RunRow | null | typeof movedOn> {
  const { db } = starter;
  const current = await monitors.find(db, run, { orDeleted: true });
  if (!current) return null;
  const { isOpen, credits } = await accounts.standing(db, run.accountId);
  // A look at a row, before ten thousand are read for nothing.
  const isRead = isOpen && current.deletedAt === null && credits >= current.subjects;
  const spender = await findSpender(db, run.tokenId);
  const checks = isRead ? await prepareChecks(starter, current, { runId: run.runId, spender }) : null;
  return inTransaction(db, async (trx) => {
    const now = await clock(trx);
    const locked = await monitors.lock(trx, run, { orDeleted: true });
    const prepared = await runs.lock(trx, run);
    if (!locked || prepared?.status !== 'preparing') return null;
    const skip = (reason: SkipReason) =>
      skipPrepared(trx, starter, { monitor: locked, run: prepared }, { reason, now });
    if (locked.deletedAt) return skip('deleted');
    const standing = await accounts.standing(trx, run.accountId);
    if (!standing.isOpen) return skip('account_disabled');
    if (locked.revision !== current.revision) return movedOn;
    if (!checks && standing.credits >= locked.subjects) return movedOn;
    const left = await leftOf(trx, spender);
    const reason = checks ? whyNot(checks, { ...standing, left }) : 'insufficient_credits';
    if (reason) return skip(reason);
    if (!checks) return movedOn;
    return beginPrepared(trx, starter, locked, { checks, now });
  });
}

/** Makes what a sitemap lists the subjects of its monitor, as far as it is believed. */
async function takeOver(
  { db, readSitemap, allowance }: Starter & { readSitemap: ReadSitemap },
  monitor: monitors.MonitorRow,
  run: runs.RunRow,
): Promise<void> {
  const now = await clock(db);
  const isTooLate = now.getTime() - run.createdAt.getTime() > preparingSeconds * 1000;
  if (!monitor.sitemapUrl || (!isTooLate && !(await mayRead(db, monitor)))) return;
  if (!isTooLate) await inTransaction(db, (trx) => monitors.update(trx, monitor, { sitemapReadAt: now }));
  await allowance.spend(monitor.accountId, { sitemaps: 1 });
  const listed = isTooLate ? null : await readSitemap(monitor.accountId, monitor.sitemapUrl);
  await inTransaction(db, async (trx) => {
    const locked = await monitors.lock(trx, monitor);
    const prepared = await runs.lock(trx, run);
    // Whoever changed it meanwhile gave it another list.
    if (prepared?.status !== 'preparing' || locked?.revision !== monitor.revision) return;
    const before = await subjects.listCurrent(trx, locked);
    const indexed = await subjects.urlsOfLeft(trx, locked, 'indexed');
    const open = (listed ?? []).filter((url) => !indexed.has(url));
    const known = new Set(before.map(({ input }) => ('url' in input ? input.url : '')));
    const { chosen, leftOut, kept } = chooseOf(open, known, locked.subjectsMax);
    const isHalved = kept < before.length / 2 && locked.doubtedCount === null;
    if (!listed || listed.length === 0 || isHalved) {
      const doubtedCount = listed && listed.length > 0 ? listed.length : locked.doubtedCount;
      await monitors.update(trx, locked, { doubtedCount });
      await runs.update(trx, run, { sitemapDoubtful: true });
      return;
    }
    await subjects.replace(trx, locked, { inputs: chosen, leftReason: 'left_sitemap', runId: run.runId });
    const revision = locked.revision + 1;
    await monitors.update(trx, locked, { subjects: chosen.length, doubtedCount: null, revision });
    await runs.update(trx, run, { leftOut });
  });
}
