import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts/accounts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/verification.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { countDueTimes } from '../../monitors/due-times.ts';
import { resumeMonitor } from '../../monitors/monitor.ts';
import { momentInZone } from '../../server/dashboard/monitors/monitor-view.ts';
import { httpAnswer } from '../support/answers.ts';
import { expectEventsMatchSchemas } from '../support/event-schemas.ts';
import { createSteps, useRunStepper } from '../support/run-stepper.ts';

const sitemapUrl = 'https://example.com/sitemap.xml';
const lost = () => httpAnswer({ status: 0, error: 'connect_timeout' });

describe('the steps of runs', () => {
  const stepper = useRunStepper();

  const fine = () => httpAnswer();
  const { at, last, runAt, eventNames } = createSteps(stepper);

  it('notify a series of skipped runs once, with or without an overlap in between', async () => {
    await at(1, 0);
    const accountId = await stepper.records.account(2);
    const monitor = await stepper.make(accountId);
    await runAt(1, monitor);
    await at(2);
    await stepper.pass();
    await inTransaction(stepper.records.db, (trx) => ledger.grant(trx, accountId, 2, null));
    await at(3);
    await stepper.pass();
    await at(4);
    await stepper.pass();
    const reasons = (await stepper.runsOf(monitor)).map(({ reason }) => reason);
    expect(reasons).to.deep.equal([null, 'insufficient_credits', null, 'overlap']);
    await stepper.answer((await stepper.runsOf(monitor))[2] ?? (monitor as never), fine);
    await stepper.advanceAll();
    await at(5);
    await stepper.pass();
    await sql`insert into monitor_runs (account_id, run_id, monitor_id, kind, status, reason, due_at, finished_at)
      values (${accountId}, gen_random_uuid(), ${monitor.monitorId}, 'check', 'skipped', 'overlap',
        '2026-11-20T05:30:00Z', now())`.execute(stepper.records.db);
    await at(6);
    await stepper.pass();
    const skips = (await stepper.eventsOf(monitor)).filter(({ event }) => event === 'monitor.run_skipped');
    const of = skips.map(({ body }) => (body.run as { reason: string }).reason);
    expect(of).to.deep.equal(['insufficient_credits', 'overlap', 'insufficient_credits']);
  });

  it('report losses that still exist after ten minutes, under the first run, and no others', async () => {
    await at(1, 0);
    const monitor = await stepper.make(await stepper.records.account(100));
    await runAt(1, monitor);
    const run = await runAt(2, monitor, () => httpAnswer({ status: 0, error: 'connect_timeout' }));
    expect(await eventNames(monitor)).to.deep.equal([]);
    expect(run.confirmSubjects).to.have.length(2);
    await at(2, 20);
    expect((await stepper.pass()).confirmed).to.equal(0);
    await at(2, 25);
    const [one, other] = await Promise.all([stepper.pass(), stepper.pass()]);
    expect(one.confirmed + other.confirmed).to.equal(1);
    const confirmation = await last(monitor);
    expect([confirmation.kind, confirmation.confirms]).to.deep.equal(['confirmation', run.runId]);
    await stepper.answer(confirmation, (input) =>
      'url' in input && input.url.endsWith('1')
        ? httpAnswer()
        : httpAnswer({ status: 0, error: 'connect_timeout' }),
    );
    await stepper.advanceAll();
    const [event, ...others] = await stepper.eventsOf(monitor);
    expect(others).to.deep.equal([]);
    expect(event?.body).to.include({ event: 'monitor.changed' });
    expect(event?.body.counts).to.deep.equal({ unreachable: 1 });
    const [change] = (event?.body.changes ?? []) as Array<{ run_id: string }>;
    expect(change?.run_id).to.equal(run.runId);
    await at(3, 0);
    expect((await stepper.pass()).confirmed).to.equal(0);
  });

  it('leave a confirmation that cannot be paid for to the next run', async () => {
    await at(1, 0);
    const accountId = await stepper.records.account(4);
    const monitor = await stepper.make(accountId);
    await runAt(1, monitor);
    await runAt(2, monitor, lost);
    await at(2, 25);
    await stepper.pass();
    expect(await last(monitor)).to.include({ kind: 'confirmation', reason: 'insufficient_credits' });
    expect(await eventNames(monitor)).to.deep.equal([]);
    await inTransaction(stepper.records.db, (trx) => ledger.grant(trx, accountId, 2, null));
    await runAt(3, monitor, lost);
    expect(await eventNames(monitor)).to.deep.equal(['monitor.changed']);
  });

  it('continue a run whose job is lost', async () => {
    await at(1, 0);
    const monitor = await stepper.make(await stepper.records.account(100));
    await at(1);
    await stepper.pass();
    const run = await last(monitor);
    await stepper.answer(run, fine);
    expect((await stepper.pass()).sweptRuns).to.equal(0);
    await sql`update monitor_runs set created_at = now() - interval '2 minutes' where run_id = ${run.runId}`.execute(
      stepper.records.db,
    );
    await sql`alter table batches disable trigger batch_ends_once`.execute(stepper.records.db);
    await sql`update batches set completed_at = now() - interval '2 minutes',
      started_at = now() - interval '2 minutes', created_at = now() - interval '2 minutes'
      where run_id = ${run.runId}`.execute(stepper.records.db);
    await sql`alter table batches enable trigger batch_ends_once`.execute(stepper.records.db);
    expect((await stepper.pass()).sweptRuns).to.equal(1);
    await stepper.advanceAll();
    expect((await last(monitor)).status).to.equal('completed');
  });

  it('end the current run of a disabled account, and no other', async () => {
    await at(1, 0);
    const accountId = await stepper.records.account(100);
    const monitor = await stepper.make(accountId);
    await at(1);
    await stepper.pass();
    await accounts.disable(stepper.records.db, accountId);
    await stepper.answer(await last(monitor), fine);
    await stepper.advanceAll();
    expect((await last(monitor)).status).to.equal('completed');
    await at(2);
    await stepper.pass();
    expect(await stepper.runsOf(monitor)).to.have.length(1);
  });

  describe('of a run that cannot begin', () => {
    /** Runs an act while the lists are locked, so that an act that reads a list hangs. */
    const withoutLists = async (act: () => Promise<unknown>) => {
      const { promise: isDone, resolve: end } = Promise.withResolvers<void>();
      const locked = Promise.withResolvers<void>();
      const holding = inTransaction(stepper.records.db, async (trx) => {
        await sql`lock table subjects in access exclusive mode`.execute(trx);
        locked.resolve();
        await isDone;
      });
      await locked.promise;
      await act();
      end();
      await holding;
    };

    it('skip it without credits before its list is read, and begin when it can be paid for', async () => {
      await at(1, 0);
      const accountId = await stepper.records.account(1);
      const monitor = await stepper.make(accountId);
      await at(2);
      await withoutLists(() => stepper.pass());
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'insufficient_credits' });
      await inTransaction(stepper.records.db, (trx) => ledger.grant(trx, accountId, 5, null));
      expect(await runAt(3, monitor)).to.include({ status: 'completed', creditsCharged: 2 });
    });

    it('neither read nor begin nor notify it if the account is disabled before its sitemap is read', async () => {
      await at(1, 0);
      const accountId = await stepper.records.account(100);
      const monitor = await stepper.make(accountId, { sitemapUrl });
      await at(2);
      await stepper.pass();
      expect(await last(monitor)).to.include({ status: 'preparing' });
      stepper.sitemap.readings = 0;
      await accounts.disable(stepper.records.db, accountId);
      await stepper.advanceAll();
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'account_disabled' });
      expect([stepper.sitemap.readings, await eventNames(monitor)]).to.deep.equal([0, []]);
      await accounts.enable(stepper.records.db, accountId);
      stepper.sitemap.listed = ['https://example.com/1', 'https://example.com/2'];
      expect(await runAt(3, monitor)).to.include({ status: 'completed' });
    });

    it('do not begin it if the account is disabled while its sitemap is read', async () => {
      await at(1, 0);
      const accountId = await stepper.records.account(100);
      const monitor = await stepper.make(accountId, { sitemapUrl });
      await at(2);
      await stepper.pass();
      const read = stepper.deps.readSitemap;
      stepper.deps.readSitemap = async () => {
        await accounts.disable(stepper.records.db, accountId);
        return ['https://example.com/1', 'https://example.com/2'];
      };
      await stepper.advanceAll();
      stepper.deps.readSitemap = read;
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'account_disabled' });
    });

    it('confirm nothing in a disabled account until it is enabled', async () => {
      await at(1, 0);
      const accountId = await stepper.records.account(100);
      const monitor = await stepper.make(accountId);
      await runAt(1, monitor);
      await runAt(2, monitor, lost);
      await accounts.disable(stepper.records.db, accountId);
      await at(2, 25);
      expect((await stepper.pass()).confirmed).to.equal(0);
      await accounts.enable(stepper.records.db, accountId);
      expect((await stepper.pass()).confirmed).to.equal(1);
    });

    it('notify an unknown time zone once, and try it hourly until it is known again', async () => {
      await at(1, 0);
      const schedule = { every: 'day', at: '02:15', on: null, timezone: 'UTC' } as const;
      const accountId = await stepper.records.account(100);
      const monitor = await stepper.make(accountId, { schedule });
      const zone = (name: string) =>
        sql`update monitors set schedule = schedule || ${JSON.stringify({ timezone: name })}::jsonb
          where account_id = ${accountId}`.execute(stepper.records.db);
      await zone('Mars/Olympus');
      for (const [hour, skipped] of [
        [2, 1],
        [3, 1],
        [4, 1],
      ] as const) {
        await at(hour);
        const passes = [await stepper.pass(), await stepper.pass()];
        expect(passes.map((passed) => passed.skipped)).to.deep.equal([skipped, 0]);
        expect(await last(monitor)).to.include({ status: 'skipped', reason: 'unknown_zone' });
      }
      expect(await eventNames(monitor)).to.deep.equal(['monitor.run_skipped']);
      const row = await monitors.find(stepper.records.db, monitor);
      expect(row?.nextRunAt?.toISOString()).to.equal('2026-11-20T05:15:00.000Z');
      const { schedule: unknown, monitorId } = row ?? monitor;
      expect(countDueTimes(unknown, monitorId, new Date(0), new Date())).to.equal(0);
      expect(momentInZone('Mars/Olympus', new Date(0))).to.match(/1970.*UTC$/);
      const resumed = await inTransaction(stepper.records.db, (trx) => resumeMonitor(trx, monitor));
      expect(resumed).to.include({ status: 'active' });
      await zone('Europe/Berlin');
      expect(await runAt(5, monitor)).to.include({ status: 'completed' });
      const after = await monitors.find(stepper.records.db, monitor);
      expect(after?.nextRunAt?.toISOString()).to.equal('2026-11-21T01:15:00.000Z');
    });
  });

  it('leave the ledger right', async () => {
    expect((await verify(stepper.records.db)).ok).to.equal(true);
  });

  it('have sent events as documented', () => expectEventsMatchSchemas(stepper.records.db));
});
