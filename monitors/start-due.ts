import { randomUUID } from 'node:crypto';
import type { AcceptDeps } from '../batches/accept.ts';
import * as accounts from '../db/accounts/accounts.ts';
import { findSpender, leftOf } from '../db/ledger/token-spending.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import { inTransaction, type Trx } from '../db/postgres/connect.ts';
import { enqueueRun } from '../db/queue/queue.ts';
import type { SkipReason } from '../schemas/monitor-words.ts';
import { begin, type Opening } from './begin.ts';
import { type Checks, prepareChecks } from './checks.ts';
import { hasKnownZone, nextDue } from './due-times.ts';
import { skip } from './skip.ts';
import type { Teller } from './tell.ts';

/** What starting runs takes from the process. */
export type Starter = AcceptDeps & Teller;

const lateAfterMs = 600_000;

/**
 * Starts the run that a monitor is due for, in one transaction: the run with its charge and jobs, or why it does not
 * take place, and the next due time. Due times that went by meanwhile are this one run, which is late. Null when it is
 * not due, which somebody else may have seen to, or was changed since it was `seen`. The list of one that its account
 * could not pay for then, or whose zone nobody knows, is not read.
 */
export async function startDue(starter: Starter, seen: Seen): Promise<runs.RunRow | null> {
  const isKnown = hasKnownZone(seen.schedule);
  const isCovered = seen.credits === undefined || seen.credits >= seen.subjects;
  const isRead = seen.sitemapUrl === null && isKnown && isCovered;
  const spender = await findSpender(starter.db, seen.tokenId);
  const checks = isRead ? await prepareChecks(starter, seen, { spender }) : null;
  return inTransaction(starter.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, seen);
    if (!monitor?.nextRunAt || monitor.nextRunAt > now) return null;
    if (monitor.revision !== seen.revision) return null;
    const standing = await accounts.standing(trx, seen.accountId);
    if (!standing.isOpen) return null;
    // After the lock, which every run of it begins with.
    const atWork = await runs.findAtWork(trx, seen);
    const nextRunAt = nextDue(monitor.schedule, monitor.monitorId, now);
    const late = now.getTime() - monitor.nextRunAt.getTime() >= lateAfterMs;
    const { tokenId } = monitor;
    const opening: Opening = { kind: 'check', dueAt: monitor.nextRunAt, late, tokenId };
    const left = await leftOf(trx, spender);
    const next = { ...monitor, nextRunAt };
    const reason = !isKnown
      ? 'unknown_zone'
      : atWork
        ? 'overlap'
        : checks
          ? whyNot(checks, { ...standing, left })
          : whyUnread(monitor, standing);
    if (checks && !reason) return begin(trx, starter, next, { opening, checks, now });
    // It can be paid for by now: the next look reads its list.
    if (!reason && monitor.sitemapUrl === null) return null;
    await monitors.update(trx, monitor, { nextRunAt });
    return reason ? skip(trx, starter, next, { opening, reason, now }) : prepare(trx, starter, next, opening);
  });
}

/** A monitor as it was seen to be due; `credits` what its account had then, where that was looked at. */
type Seen = monitors.MonitorRow & { credits?: number };

/** Why checks cannot begin that are of the monitor as it is; null when they can. */
export function whyNot(
  { count, refused }: Checks,
  { credits, left }: { credits: number; left: number },
): SkipReason | null {
  if (count === 0) return 'no_subjects';
  if (credits < count) return 'insufficient_credits';
  if (left < count) return 'token_limit';
  return refused ? 'allowance_exhausted' : null;
}

/** The same of a list that was not read, for it could not be paid for; null when it can be by now. */
export function whyUnread(
  { sitemapUrl, subjects }: Pick<monitors.MonitorRow, 'sitemapUrl' | 'subjects'>,
  { credits }: { credits: number },
): SkipReason | null {
  return sitemapUrl === null && credits < subjects ? 'insufficient_credits' : null;
}

/** A run whose sitemap is to be read first, by a job. */
export async function prepare(
  trx: Trx,
  { boss }: Pick<Starter, 'boss'>,
  { accountId, monitorId }: monitors.MonitorRef,
  opening: Opening,
): Promise<runs.RunRow> {
  const ref = { accountId, runId: randomUUID() };
  const run = await runs.create(trx, { ...ref, ...opening, monitorId, status: 'preparing' });
  await enqueueRun(boss, trx, ref);
  return run;
}
