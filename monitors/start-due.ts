import { randomUUID } from 'node:crypto';
import * as accounts from '../db/accounts.ts';
import { clock } from '../db/clock.ts';
import { inTransaction, type Trx } from '../db/connect.ts';
import * as ledger from '../db/ledger.ts';
import * as runs from '../db/monitor-runs.ts';
import * as monitors from '../db/monitors.ts';
import { enqueueRun } from '../db/queue.ts';
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
 * not due, which somebody else may have seen to, or was changed just now.
 */
export async function startDue(starter: Starter, ref: monitors.MonitorRef): Promise<runs.RunRow | null> {
  const seen = await monitors.find(starter.db, ref);
  if (!seen?.nextRunAt) return null;
  const checks = seen.sitemapUrl === null ? await prepareChecks(starter, seen) : null;
  return inTransaction(starter.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, ref);
    if (!monitor?.nextRunAt || monitor.nextRunAt > now) return null;
    if (!(await accounts.isOpen(trx, ref.accountId))) return null;
    if (monitor.revision !== seen.revision) return null;
    const nextRunAt = nextDue(monitor.schedule, monitor.monitorId, now);
    await monitors.update(trx, monitor, { nextRunAt });
    const late = now.getTime() - monitor.nextRunAt.getTime() >= lateAfterMs;
    const opening: Opening = { kind: 'check', dueAt: monitor.nextRunAt, late };
    return open(trx, starter, { ...monitor, nextRunAt }, checks, opening, now);
  });
}

async function open(
  trx: Trx,
  starter: Starter,
  monitor: monitors.MonitorRow,
  checks: Checks | null,
  opening: Opening,
  now: Date,
): Promise<runs.RunRow> {
  if (await runs.findAtWork(trx, monitor))
    return skip(trx, starter, monitor, opening, { reason: 'overlap', now });
  if (!checks) return prepare(trx, starter, monitor, opening);
  const reason = await whyNot(trx, monitor, checks);
  return reason
    ? skip(trx, starter, monitor, opening, { reason, now })
    : begin(trx, monitor, checks, opening, now);
}

/** Why checks cannot begin that are of the monitor as it is; null when they can. */
export async function whyNot(trx: Trx, { accountId }: monitors.MonitorRef, { count, refused }: Checks) {
  if (count === 0) return 'no_subjects';
  if ((await ledger.balance(trx, accountId)) < count) return 'insufficient_credits';
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
  await runs.create(trx, { ...ref, ...opening, monitorId, status: 'preparing' });
  await enqueueRun(boss, trx, ref);
  const run = await runs.find(trx, ref);
  if (!run) throw new Error('a run that was stored is not there');
  return run;
}
