import { expect } from 'chai';
import { sql } from 'kysely';
import { verify } from '../../db/ledger/verification.ts';
import type * as monitors from '../../db/monitors/monitors.ts';
import { purge } from '../../upkeep/retention.ts';
import { createSteps, useRunStepper } from '../support/run-stepper.ts';

describe('runs of monitors', () => {
  const stepper = useRunStepper();
  const { at, last, runAt } = createSteps(stepper);

  const purgeNow = async () => {
    await sql`update history_passes set passed_at = now() - interval '2 days'`.execute(stepper.records.db);
    return purge(stepper.records.db, { days: 90, historyDays: 1100 }, { stepMax: 1 });
  };
  const age = (runId: string, days: number) =>
    sql`update monitor_runs set created_at = now() - ${days} * interval '1 day'
      where run_id = ${runId}::uuid`.execute(stepper.records.db);
  const left = async (ref: monitors.MonitorRef) =>
    (await stepper.runsOf(ref)).map(({ runId }) => runId).sort();

  it('are kept for the days of history, charged or skipped, and while they are in progress', async () => {
    await at(1, 0);
    const monitor = await stepper.make(await stepper.records.account(100));
    const ended = [await runAt(1, monitor), await runAt(2, monitor), await runAt(3, monitor)];
    await at(4);
    await stepper.pass();
    const atWork = await last(monitor);
    const poor = await stepper.make(await stepper.records.account(0));
    await at(5);
    await stepper.pass();
    const skipped = await last(poor);
    const [old, older, young] = ended.map(({ runId }) => runId);
    for (const id of [old, older, skipped.runId, atWork.runId]) await age(id ?? '', 1101);
    await age(young ?? '', 1099);
    expect((await purgeNow()).monitorHistory).to.equal(3);
    const overlap = (await stepper.runsOf(monitor)).filter(({ reason }) => reason === 'overlap');
    const kept = [young, atWork.runId, ...overlap.map(({ runId }) => runId)];
    expect(await left(monitor)).to.deep.equal(kept.sort());
    expect(await left(poor)).to.deep.equal([]);
    expect((await purgeNow()).monitorHistory).to.equal(0);
    expect((await verify(stepper.records.db)).ok).to.equal(true);
  });
});
