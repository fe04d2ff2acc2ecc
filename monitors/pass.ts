import * as accounts from '../db/accounts/accounts.ts';
import { isOpen } from '../db/accounts/accounts.ts';
import { findSpender, leftOf } from '../db/ledger/token-spending.ts';
import * as due from '../db/monitors/due-monitors.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { enqueueRun } from '../db/queue/queue.ts';
import { begin, type Opening } from './begin.ts';
import { prepareChecks } from './checks.ts';
import { goOn } from './pause.ts';
import { preparingSeconds } from './prepare-run.ts';
import { skip } from './skip.ts';
import { type Starter, startDue, whyNot } from './start-due.ts';
import { tellResumed } from './tell.ts';

/** What a pass has done; all 0 when nothing was due. */
export interface Passed {
  started: number;
  skipped: number;
  late: number;
  confirmed: number;
  resumed: number;
  /** Runs at work whose job was gone. */
  sweptRuns: number;
}

const atOnceMax = 500;
// Transactions side by side: while one is committed another asks, and most of the smallest pool is left to others.
const lanesMax = 3;

/**
 * Does for monitors what has fallen due: looks without a lock, then acts for each in a transaction of its own, until
 * nothing is left or the signal is aborted. One that fails is reported and stops none of the others. `stepped` is told
 * after each look's worth, so that nobody else begins meanwhile.
 */
export async function pass(
  starter: Starter,
  {
    failed,
    signal,
    stepped,
  }: { failed(error: unknown): void; signal: AbortSignal; stepped(): Promise<void> },
): Promise<Passed> {
  const passed: Passed = { started: 0, skipped: 0, late: 0, confirmed: 0, resumed: 0, sweptRuns: 0 };
  // Those of an account in turn: their charges wait for each other anyway.
  const each = async <T extends { accountId: number }>(found: T[], act: (one: T) => Promise<void>) => {
    const lanes = Map.groupBy(found, ({ accountId }) => accountId % lanesMax);
    const goThrough = async (lane: T[]) => {
      for (const one of lane) if (!signal.aborted) await act(one).catch(failed);
    };
    await Promise.all([...lanes.values()].map(goThrough));
  };
  const untilNothingIsLeft = async <T extends { accountId: number }>(
    look: () => Promise<T[]>,
    act: (one: T) => Promise<boolean>,
  ) => {
    while (!signal.aborted) {
      const found = await look();
      let done = 0;
      await each(found, async (one) => {
        if (await act(one)) done += 1;
      });
      // Those that failed are due still, and are left to the next pass.
      if (found.length < atOnceMax || done === 0) break;
      await stepped();
    }
  };
  const { db } = starter;
  await untilNothingIsLeft(
    async () => due.findDue(db, await clock(db), atOnceMax),
    async (monitor) => {
      const run = await startDue(starter, monitor);
      if (run?.status === 'skipped') passed.skipped += 1;
      else if (run) passed.started += 1;
      if (run?.late) passed.late += 1;
      return run !== null;
    },
  );
  await untilNothingIsLeft(
    async () => due.findToConfirm(db, await clock(db), atOnceMax),
    async (ref) => {
      const run = await confirm(starter, ref);
      if (run) passed.confirmed += 1;
      return run !== null;
    },
  );
  await untilNothingIsLeft(
    () => due.findSolvent(db, atOnceMax),
    async (ref) => {
      const isResumed = await resumeSolvent(starter, ref);
      if (isResumed) passed.resumed += 1;
      return isResumed;
    },
  );
  await each(await due.findStranded(db, preparingSeconds, atOnceMax), async (ref) => {
    await inTransaction(db, (trx) => enqueueRun(starter.boss, trx, ref));
    passed.sweptRuns += 1;
  });
  return passed;
}

/** Lets a monitor go on that could not be paid for, and tells it. */
function resumeSolvent(starter: Starter, ref: monitors.MonitorRef): Promise<boolean> {
  return inTransaction(starter.db, async (trx) => {
    const monitor = await monitors.lock(trx, ref);
    if (monitor?.pausedReason !== 'insufficient_credits') return false;
    if (!(await isOpen(trx, ref.accountId))) return false;
    await tellResumed(trx, starter, await goOn(trx, monitor));
    return true;
  });
}

/**
 * Checks once more what a run has seen lost, when the time for it has come. Dropped where the monitor is no longer at
 * it; where it cannot be paid for, the next run decides. Null when there is nothing to confirm any more.
 */
async function confirm(starter: Starter, ref: runs.RunRef): Promise<runs.RunRow | null> {
  const seen = await runs.find(starter.db, ref);
  const before = seen?.confirmAt ? await monitors.find(starter.db, seen) : null;
  if (!seen || !before || !(await accounts.isOpen(starter.db, ref.accountId))) return null;
  const spender = await findSpender(starter.db, seen.tokenId);
  const checks = await prepareChecks(starter, before, { subjectIds: seen.confirmSubjects, spender });
  return inTransaction(starter.db, async (trx) => {
    const now = await clock(trx);
    const monitor = await monitors.lock(trx, seen);
    const run = await runs.lock(trx, ref);
    if (!monitor || !run?.confirmAt || run.confirmAt > now) return null;
    if (monitor.revision !== before.revision) return null;
    const standing = await accounts.standing(trx, ref.accountId);
    if (!standing.isOpen) return null;
    await runs.update(trx, ref, { confirmAt: null, confirmSubjects: [] });
    if (checks.count === 0) return null;
    const opening: Opening = { kind: 'confirmation', confirms: run.runId, tokenId: run.tokenId };
    const reason = whyNot(checks, { ...standing, left: await leftOf(trx, spender) });
    return reason
      ? skip(trx, starter, monitor, { opening, reason, now })
      : begin(trx, starter, monitor, { opening, checks, now });
  });
}
