import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts/accounts.ts';
import { findDue, measureDueMonitors } from '../../db/monitors/due-monitors.ts';
import { startDueRun } from '../../monitors/run.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { borrowRecords, type Records } from '../support/records.ts';
import { createRunStepper, type RunStepper } from '../support/run-stepper.ts';

describe('the start of due runs', () => {
  let records: Records;
  let proxy: PostgresProxy;
  let stepper: RunStepper;

  before(async () => {
    proxy = new PostgresProxy();
    let direct = '';
    records = await borrowRecords(1, (url) => {
      direct = url;
      return proxy.open(url);
    });
    stepper = await createRunStepper({ ...records, url: direct });
  });
  afterEach(() => sql`update monitors set deleted_at = now(), next_run_at = null`.execute(records.db));
  after(async () => {
    await stepper.close();
    await records.giveBack();
    await proxy.close();
  });

  const dueAt = async (moment: string) => {
    await stepper.moveClock(moment);
    return findDue(records.db, new Date(moment), 500);
  };

  it('needs at most 20 statements per run', async () => {
    await stepper.moveClock('2026-11-20T01:00:00Z');
    const monitor = await stepper.make(await records.account(100));
    // After the first run, values such as ids of checks are cached.
    await dueAt('2026-11-20T01:15:00Z');
    await stepper.pass();
    await stepper.answer((await stepper.runsOf(monitor))[0] ?? (monitor as never), () => null);
    await stepper.advanceAll();
    const [seen] = await dueAt('2026-11-20T02:15:00Z');
    const before = proxy.statements;
    const run = await startDueRun(stepper.deps, seen ?? (monitor as never));
    expect(proxy.statements - before).to.be.at.most(20);
    expect(run).to.include({ status: 'running', subjects: 2, creditsCharged: 2 });
  });

  it('skips monitors that were changed since they were read, until the next pass', async () => {
    await stepper.moveClock('2026-11-20T03:00:00Z');
    const monitor = await stepper.make(await records.account(100));
    const [seen] = await dueAt('2026-11-20T03:15:00Z');
    await sql`update monitors set revision = revision + 1 where account_id = ${monitor.accountId}`.execute(
      records.db,
    );
    expect(await startDueRun(stepper.deps, seen ?? monitor)).to.equal(null);
    expect((await stepper.pass()).started).to.equal(1);
  });

  it('skips disabled accounts without delaying others', async () => {
    await stepper.moveClock('2026-11-20T04:00:00Z');
    const [disabled, open] = [await records.account(100), await records.account(100)];
    await stepper.make(disabled);
    const monitor = await stepper.make(open);
    await accounts.disable(records.db, disabled);
    const due = await dueAt('2026-11-20T04:15:00Z');
    expect(due.map(({ monitorId }) => monitorId)).to.deep.equal([monitor.monitorId]);
    await accounts.enable(records.db, disabled);
    expect((await stepper.pass()).started).to.equal(2);
  });

  it('is a metric for operators, with the seconds that the oldest due run has waited', async () => {
    await stepper.moveClock('2026-11-20T06:00:00Z');
    const disabled = await records.account(100);
    await stepper.make(disabled);
    await accounts.disable(records.db, disabled);
    const nobodyIsLate = { due: 0, latestSeconds: 0, withinMinute: 0 };
    const at = (moment: string) => measureDueMonitors(records.db, new Date(moment));
    expect(await at('2026-11-20T06:20:00Z')).to.deep.equal(nobodyIsLate);
    await stepper.make(await records.account(100));
    expect(await at('2026-11-20T06:14:30Z')).to.deep.equal({ ...nobodyIsLate, withinMinute: 1 });
    expect(await at('2026-11-20T06:25:00Z')).to.deep.equal({ due: 1, latestSeconds: 600, withinMinute: 0 });
  });

  it('handles several accounts at once, each monitor once, and the others when one fails', async () => {
    await stepper.moveClock('2026-11-20T05:00:00Z');
    const made = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const accountId = await records.account(100);
        return [await stepper.make(accountId), await stepper.make(accountId)];
      }),
    );
    const [broken] = made[0] ?? [];
    await sql`update monitors set schedule = '{"every": "never"}' where monitor_id = ${broken?.monitorId}`.execute(
      records.db,
    );
    await stepper.moveClock('2026-11-20T05:15:00Z');
    const failures: unknown[] = [];
    const passed = await stepper.pass((error) => failures.push(error));
    expect([passed.started, failures.length]).to.deep.equal([7, 1]);
    for (const one of made.flat()) {
      const runs = await stepper.runsOf(one);
      expect(runs.length, one.monitorId).to.equal(one.monitorId === broken?.monitorId ? 0 : 1);
    }
  });
});
