import * as due from '../db/monitors/due-monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { enqueueRun } from '../db/queue/queue.ts';
import { resumeAfterShortfall } from './monitor.ts';
import { type RunDeps, startConfirmation, startDueRun } from './run.ts';
import { preparingSecondsMax } from './sitemap.ts';

export interface DueWorkCounts {
  started: number;
  skipped: number;
  late: number;
  confirmed: number;
  resumed: number;
  /** Runs in progress that had lost their job and got a new job. */
  sweptRuns: number;
}

const pageSize = 500;
// Number of groups handled at a time. Three groups overlap their commits, and leave most connections of the smallest
// pool free.
const concurrency = 3;

/**
 * Starts due runs and confirmations, resumes monitors whose runs the balance covers again, and enqueues runs that lost
 * their job. Finds rows without locks, and handles each row in its own transaction. Stops when nothing is left or the
 * signal is aborted. Passes failures to `failed` and continues. Calls `stepped` between pages, so that the caller can
 * renew its lease.
 */
export async function processDueMonitors(
  deps: RunDeps,
  {
    failed,
    signal,
    stepped,
  }: { failed(error: unknown): void; signal: AbortSignal; stepped(): Promise<void> },
): Promise<DueWorkCounts> {
  const { db, boss } = deps;
  const work: DueWorkCounts = { started: 0, skipped: 0, late: 0, confirmed: 0, resumed: 0, sweptRuns: 0 };

  await repeatUntilDone(
    async () => due.findDue(db, await clock(db), pageSize),
    async (monitor) => {
      const run = await startDueRun(deps, monitor);
      if (run?.status === 'skipped') work.skipped += 1;
      else if (run) work.started += 1;
      if (run?.late) work.late += 1;
      return run !== null;
    },
  );
  await repeatUntilDone(
    async () => due.findToConfirm(db, await clock(db), pageSize),
    async (ref) => {
      const run = await startConfirmation(deps, ref);
      if (run) work.confirmed += 1;
      return run !== null;
    },
  );
  await repeatUntilDone(
    () => due.findResumable(db, pageSize),
    async (ref) => {
      const isResumed = await inTransaction(db, (trx) => resumeAfterShortfall(trx, deps, ref));
      if (isResumed) work.resumed += 1;
      return isResumed;
    },
  );
  await each(await due.findOrphaned(db, preparingSecondsMax, pageSize), async (ref) => {
    await inTransaction(db, (trx) => enqueueRun(boss, trx, ref));
    work.sweptRuns += 1;
  });
  return work;

  async function repeatUntilDone<T extends { accountId: number }>(
    find: () => Promise<T[]>,
    callback: (one: T) => Promise<boolean>,
  ): Promise<void> {
    while (!signal.aborted) {
      const found = await find();
      let done = 0;
      await each(found, async (one) => {
        if (await callback(one)) done += 1;
      });
      // Failed rows are still due. The next pass retries them.
      if (found.length < pageSize || done === 0) break;
      await stepped();
    }
  }

  /** Handles the rows of one account one by one, because their charges would wait for each other. */
  async function each<T extends { accountId: number }>(
    found: T[],
    callback: (one: T) => Promise<void>,
  ): Promise<void> {
    const groups = Map.groupBy(found, ({ accountId }) => accountId % concurrency);
    const actOnAll = async (group: T[]) => {
      for (const one of group) if (!signal.aborted) await callback(one).catch(failed);
    };
    await Promise.all([...groups.values()].map(actOnAll));
  }
}
