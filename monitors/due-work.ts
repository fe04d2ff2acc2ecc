import * as due from '../db/monitors/due-monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { enqueueRun } from '../db/queue/queue.ts';
import { resumeUnpaid } from './monitor.ts';
import { type RunDeps, startConfirmation, startDue } from './run.ts';
import { preparingSeconds } from './sitemap.ts';

/** What a pass over the monitors has done; all 0 when nothing was due. */
export interface DueWork {
  started: number;
  skipped: number;
  late: number;
  confirmed: number;
  resumed: number;
  /** Runs in progress whose job was gone. */
  sweptRuns: number;
}

const atOnceMax = 500;
// While one transaction commits, others work; most of the smallest pool stays free.
const lanesMax = 3;

/**
 * Does for monitors what is due: finds it without locks, then acts on each in a transaction of its own, until nothing
 * is left or the signal is aborted. One that fails is reported and stops none of the others. `stepped` is called
 * between steps, so that no other process starts the same meanwhile.
 */
export async function doDueWork(
  deps: RunDeps,
  {
    failed,
    signal,
    stepped,
  }: { failed(error: unknown): void; signal: AbortSignal; stepped(): Promise<void> },
): Promise<DueWork> {
  const { db, boss } = deps;
  const work: DueWork = { started: 0, skipped: 0, late: 0, confirmed: 0, resumed: 0, sweptRuns: 0 };

  await untilNothingIsLeft(
    async () => due.findDue(db, await clock(db), atOnceMax),
    async (monitor) => {
      const run = await startDue(deps, monitor);
      if (run?.status === 'skipped') work.skipped += 1;
      else if (run) work.started += 1;
      if (run?.late) work.late += 1;
      return run !== null;
    },
  );
  await untilNothingIsLeft(
    async () => due.findToConfirm(db, await clock(db), atOnceMax),
    async (ref) => {
      const run = await startConfirmation(deps, ref);
      if (run) work.confirmed += 1;
      return run !== null;
    },
  );
  await untilNothingIsLeft(
    () => due.findPayable(db, atOnceMax),
    async (ref) => {
      const isResumed = await inTransaction(db, (trx) => resumeUnpaid(trx, deps, ref));
      if (isResumed) work.resumed += 1;
      return isResumed;
    },
  );
  await each(await due.findStranded(db, preparingSeconds, atOnceMax), async (ref) => {
    await inTransaction(db, (trx) => enqueueRun(boss, trx, ref));
    work.sweptRuns += 1;
  });
  return work;

  async function untilNothingIsLeft<T extends { accountId: number }>(
    find: () => Promise<T[]>,
    act: (one: T) => Promise<boolean>,
  ): Promise<void> {
    while (!signal.aborted) {
      const found = await find();
      let done = 0;
      await each(found, async (one) => {
        if (await act(one)) done += 1;
      });
      // Those that failed are still due, and are left to the next pass.
      if (found.length < atOnceMax || done === 0) break;
      await stepped();
    }
  }

  /** Those of one account in turn: their charges would wait for each other. */
  async function each<T extends { accountId: number }>(
    found: T[],
    act: (one: T) => Promise<void>,
  ): Promise<void> {
    const lanes = Map.groupBy(found, ({ accountId }) => accountId % lanesMax);
    const goThrough = async (lane: T[]) => {
      for (const one of lane) if (!signal.aborted) await act(one).catch(failed);
    };
    await Promise.all([...lanes.values()].map(goThrough));
  }
}
