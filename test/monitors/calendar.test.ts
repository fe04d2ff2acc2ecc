import { expect } from 'chai';
import { sql } from 'kysely';
import type * as monitors from '../../db/monitors/monitors.ts';
import type { Schedule } from '../../schemas/monitor-types.ts';
import { useRunStepper } from '../support/run-stepper.ts';

describe('a changed system clock', () => {
  const stepper = useRunStepper();

  /** Ends the run, so that the next one does not overlap. */
  const endRuns = () =>
    sql`update monitor_runs set status = 'failed', failed = subjects, finished_at = now()
      where finished_at is null`.execute(stepper.records.db);
  const passAt = async (moment: Date | string, passes = 1) => {
    await stepper.moveClock(moment);
    const all = await Promise.all(Array.from({ length: passes }, () => stepper.pass()));
    return all.reduce((sum, { started, skipped }) => sum + started + skipped, 0);
  };
  const make = async (schedule: Pick<Schedule, 'every' | 'at'>, from: string) => {
    await stepper.moveClock(from);
    const of = {
      schedule: { on: null, timezone: 'UTC', ...schedule },
      inputs: [{ url: 'https://a.example/' }],
    };
    return stepper.make(await stepper.records.account(100), of);
  };
  const listRuns = async (monitor: monitors.MonitorRow) =>
    (await stepper.runsOf(monitor)).map(({ dueAt, late, status }) => ({
      at: dueAt?.getTime(),
      late,
      status,
    }));

  it('starts each run once, in any process, and none before its time', async () => {
    const monitor = await make({ every: 'day', at: '06:00' }, '2026-11-19T12:00Z');
    const due = ['2026-11-20T06:00Z', '2026-11-21T06:00Z'].map(Date.parse);
    for (const at of due) {
      expect(await passAt(new Date(at - 1000))).to.equal(0);
      expect(await passAt(new Date(at), 2)).to.equal(1);
      await endRuns();
      expect(await passAt(new Date(at + 1000))).to.equal(0);
    }
    expect(await listRuns(monitor)).to.deep.equal(due.map((at) => ({ at, late: false, status: 'failed' })));
  });

  it('starts no run twice after a step back', async () => {
    const monitor = await make({ every: 'day', at: '06:00' }, '2026-11-20T00:00Z');
    expect(await passAt('2026-11-20T06:00Z')).to.equal(1);
    await endRuns();
    for (const moment of ['2026-11-20T05:00Z', '2026-11-20T06:00Z', '2026-11-21T05:59Z'])
      expect(await passAt(moment), moment).to.equal(0);
    expect(await passAt('2026-11-21T06:00Z')).to.equal(1);
    expect((await listRuns(monitor)).map(({ at }) => at)).to.deep.equal(
      ['2026-11-20T06:00Z', '2026-11-21T06:00Z'].map(Date.parse),
    );
  });

  it('starts one run, late, after a year of downtime', async () => {
    const monitor = await make({ every: 'hour', at: '00:15' }, '2026-11-20T00:00Z');
    expect(await passAt('2027-11-20T12:00Z', 2)).to.equal(1);
    await endRuns();
    expect(await passAt('2027-11-20T12:15Z')).to.equal(1);
    expect(await listRuns(monitor)).to.deep.equal([
      { at: Date.parse('2026-11-20T00:15Z'), late: true, status: 'failed' },
      { at: Date.parse('2027-11-20T12:15Z'), late: false, status: 'running' },
    ]);
  });
});
