import { randomUUID } from 'node:crypto';
import * as accounts from '../db/accounts.ts';
import { clock } from '../db/clock.ts';
import type { Trx } from '../db/connect.ts';
import * as runs from '../db/monitor-runs.ts';
import * as monitors from '../db/monitors.ts';
import { inPromptTransaction, sideBySide } from '../db/prompt-transaction.ts';
import { enqueueRun } from '../db/queue.ts';
import type { SkipReason } from '../schemas/monitor-words.ts';
import { begin, type Opening } from './begin.ts';
import { type Checks, type MonitorDesk, prepareChecks } from './checks.ts';
import { nextDue } from './due-times.ts';
import { skip } from './skip.ts';
import type { Teller } from './tell.ts';

/** What starting runs takes from the process. */
export type Starter = MonitorDesk & Teller;

const lateAfterMs = 600_000;

/**
 * Starts the run that a monitor is due for, in one transaction: the run with its charge and jobs, or why it does not
 * take place, and the next due time. Due times that went by meanwhile are this one run, which is late. Null when it is
 * not due, which somebody else may have seen to, or was changed since it was `seen`.
 */
export async function startDue(starter: Starter, seen: monitors.MonitorRow): Promise<runs.RunRow | null> {
  const checks = seen.sitemapUrl === null ? await prepareChecks(starter, seen) : null;
  const act = async (trx: Trx) => {
    // In this order: whether one is at work is known once the monitor is locked, which whoever begins one has done.
    const [now, monitor, standing, atWork] = await sideBySide([
      clock(trx),
      monitors.lock(trx, seen),
      accounts.standing(trx, seen.accountId),
      runs.findAtWork(trx, seen),
    ]);
    if (!monitor?.nextRunAt || monitor.nextRunAt > now || !standing.isOpen) return null;
    if (monitor.revision !== seen.revision) return null;
    const nextRunAt = nextDue(monitor.schedule, monitor.monitorId, now);
    const late = now.getTime() - monitor.nextRunAt.getTime() >= lateAfterMs;
    const opening: Opening = { kind: 'check', dueAt: monitor.nextRunAt, late };
    const next = { ...monitor, nextRunAt };
    const reason = atWork ? 'overlap' : checks && whyNot(checks, standing);
    if (checks && !reason) return begin(trx, next, checks, opening, now);
    await monitors.update(trx, monitor, { nextRunAt });
    return reason ? skip(trx, starter, next, opening, { reason, now }) : prepare(trx, starter, next, opening);
  };
  return inPromptTransaction(starter.db, act, undefined, { isBegunFirst: true });
}

/** Why checks cannot begin that are of the monitor as it is; null when they can. */
export function whyNot({ count, refused }: Checks, { credits }: { credits: number }): SkipReason | null {
  if (count === 0) return 'no_subjects';
  if (credits < count) return 'insufficient_credits';
  return refused ? 'allowance_exhausted' : null;
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
