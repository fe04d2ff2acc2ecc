import { expect } from 'chai';
import { sql } from 'kysely';
import { verify } from '../../db/ledger/proofs.ts';
import type * as monitors from '../../db/monitors/monitors.ts';
import { purge } from '../../upkeep/retention.ts';
import { deskOfSuite, stepsOf } from '../support/run-desk.ts';

describe('runs of monitors', () => {
  const held = deskOfSuite();
  const { at, last, runAt } = stepsOf(() => held.desk);

  const purgeNow = async () => {
    await sql`update history_passes set passed_at = now() - interval '2 days'`.execute(held.records.db);
    return purge(held.records.db, { days: 90, historyDays: 1100 }, { stepMax: 1 });
  };
  const age = (runId: string, days: number) =>
    sql`update monitor_runs set created_at = now() - ${days} * interval '1 day'
      where run_id = ${runId}::uuid`.execute(held.records.db);
  const left = async (ref: monitors.MonitorRef) =>
    (await held.desk.runsOf(ref)).map(({ runId }) => runId).sort();

  it('are kept as long as their results, charged or skipped, and while they are in progress', async () => {
    await at(1, 0);
    const monitor = await held.desk.make(await held.records.account(100));
    const ended = [await runAt(1, monitor), await runAt(2, monitor), await runAt(3, monitor)];
    await at(4);
    await held.desk.pass();
    const atWork = await last(monitor);
    const poor = await held.desk.make(await held.records.account(0));
    await at(5);
    await held.desk.pass();
    const skipped = await last(poor);
    const [old, older, young] = ended.map(({ runId }) => runId);
    for (const id of [old, older, skipped.runId, atWork.runId]) await age(id ?? '', 1101);
    await age(young ?? '', 1099);
    expect((await purgeNow()).monitorHistory).to.equal(3);
    const overlap = (await held.desk.runsOf(monitor)).filter(({ reason }) => reason === 'overlap');
    const kept = [young, atWork.runId, ...overlap.map(({ runId }) => runId)];
    expect(await left(monitor)).to.deep.equal(kept.sort());
    expect(await left(poor)).to.deep.equal([]);
    expect((await purgeNow()).monitorHistory).to.equal(0);
    expect((await verify(held.records.db)).ok).to.equal(true);
  });
});
