import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts/accounts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/proofs.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { countDue } from '../../monitors/due-times.ts';
import { resumeMonitor } from '../../monitors/monitor.ts';
import { momentInZone } from '../../server/dashboard/monitors/monitor-view.ts';
import { httpAnswer } from '../support/answers.ts';
import { deskOfSuite, stepsOf } from '../support/run-desk.ts';
import { expectToldAsDocumented } from '../support/told-events.ts';

const sitemapUrl = 'https://example.com/sitemap.xml';
const lost = () => httpAnswer({ status: 0, error: 'connect_timeout' });

describe('the steps of runs', () => {
  const held = deskOfSuite();

  const fine = () => httpAnswer();
  const { at, last, runAt, told } = stepsOf(() => held.desk);

  it('notify a series of skipped runs once, with or without an overlap in between', async () => {
    await at(1, 0);
    const accountId = await held.records.account(2);
    const monitor = await held.desk.make(accountId);
    await runAt(1, monitor);
    await at(2);
    await held.desk.pass();
    await inTransaction(held.records.db, (trx) => ledger.grant(trx, accountId, 2, null));
    await at(3);
    await held.desk.pass();
    await at(4);
    await held.desk.pass();
    const reasons = (await held.desk.runsOf(monitor)).map(({ reason }) => reason);
    expect(reasons).to.deep.equal([null, 'insufficient_credits', null, 'overlap']);
    await held.desk.answer((await held.desk.runsOf(monitor))[2] ?? (monitor as never), fine);
    await held.desk.advanceAll();
    await at(5);
    await held.desk.pass();
    await sql`insert into monitor_runs (account_id, run_id, monitor_id, kind, status, reason, due_at, finished_at)
      values (${accountId}, gen_random_uuid(), ${monitor.monitorId}, 'check', 'skipped', 'overlap',
        '2026-11-20T05:30:00Z', now())`.execute(held.records.db);
    await at(6);
    await held.desk.pass();
    const skips = (await held.desk.toldOf(monitor)).filter(({ event }) => event === 'monitor.run_skipped');
    const of = skips.map(({ body }) => (body.run as { reason: string }).reason);
    expect(of).to.deep.equal(['insufficient_credits', 'overlap', 'insufficient_credits']);
  });

  it('report losses that still exist after ten minutes, under the first run, and no others', async () => {
    await at(1, 0);
    const monitor = await held.desk.make(await held.records.account(100));
    await runAt(1, monitor);
    const run = await runAt(2, monitor, () => httpAnswer({ status: 0, error: 'connect_timeout' }));
    expect(await told(monitor)).to.deep.equal([]);
    expect(run.confirmSubjects).to.have.length(2);
    await at(2, 20);
    expect((await held.desk.pass()).confirmed).to.equal(0);
    await at(2, 25);
    const [one, other] = await Promise.all([held.desk.pass(), held.desk.pass()]);
    expect(one.confirmed + other.confirmed).to.equal(1);
    const confirmation = await last(monitor);
    expect([confirmation.kind, confirmation.confirms]).to.deep.equal(['confirmation', run.runId]);
    // It is no overlap, and delays no run.
    await held.desk.answer(confirmation, (input) =>
      'url' in input && input.url.endsWith('1')
        ? httpAnswer()
        : httpAnswer({ status: 0, error: 'connect_timeout' }),
    );
    await held.desk.advanceAll();
    const [event, ...others] = await held.desk.toldOf(monitor);
    expect(others).to.deep.equal([]);
    expect(event?.body).to.include({ event: 'monitor.changed' });
    expect(event?.body.counts).to.deep.equal({ unreachable: 1 });
    const [change] = (event?.body.changes ?? []) as Array<{ run_id: string }>;
    expect(change?.run_id).to.equal(run.runId);
    await at(3, 0);
    expect((await held.desk.pass()).confirmed).to.equal(0);
  });

  it('leave a confirmation that cannot be paid for to the next run', async () => {
    await at(1, 0);
    const accountId = await held.records.account(4);
    const monitor = await held.desk.make(accountId);
    await runAt(1, monitor);
    await runAt(2, monitor, lost);
    await at(2, 25);
    await held.desk.pass();
    expect(await last(monitor)).to.include({ kind: 'confirmation', reason: 'insufficient_credits' });
    expect(await told(monitor)).to.deep.equal([]);
    await inTransaction(held.records.db, (trx) => ledger.grant(trx, accountId, 2, null));
    await runAt(3, monitor, lost);
    expect(await told(monitor)).to.deep.equal(['monitor.changed']);
  });

  it('skip runs of an account without allowance, and notify once', async () => {
    await at(1, 0);
    const accountId = await held.records.account(100);
    const monitor = await held.desk.make(accountId);
    await sql`update allowances set weight = 1000000 where account_id = ${accountId}`.execute(
      held.records.db,
    );
    for (const hour of [1, 2]) {
      await at(hour);
      await held.desk.pass();
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'allowance_exhausted' });
    }
    expect(await told(monitor)).to.deep.equal(['monitor.run_skipped']);
  });

  it('continue a run whose job is lost', async () => {
    await at(1, 0);
    const monitor = await held.desk.make(await held.records.account(100));
    await at(1);
    await held.desk.pass();
    const run = await last(monitor);
    await held.desk.answer(run, fine);
    expect((await held.desk.pass()).sweptRuns).to.equal(0);
    await sql`update monitor_runs set created_at = now() - interval '2 minutes' where run_id = ${run.runId}`.execute(
      held.records.db,
    );
    await sql`alter table batches disable trigger batch_ends_once`.execute(held.records.db);
    await sql`update batches set completed_at = now() - interval '2 minutes',
      started_at = now() - interval '2 minutes', created_at = now() - interval '2 minutes'
      where run_id = ${run.runId}`.execute(held.records.db);
    await sql`alter table batches enable trigger batch_ends_once`.execute(held.records.db);
    expect((await held.desk.pass()).sweptRuns).to.equal(1);
    await held.desk.advanceAll();
    expect((await last(monitor)).status).to.equal('completed');
  });

  it('end the current run of a disabled account, and no other', async () => {
    await at(1, 0);
    const accountId = await held.records.account(100);
    const monitor = await held.desk.make(accountId);
    await at(1);
    await held.desk.pass();
    await accounts.disable(held.records.db, accountId);
    await held.desk.answer(await last(monitor), fine);
    await held.desk.advanceAll();
    expect((await last(monitor)).status).to.equal('completed');
    await at(2);
    await held.desk.pass();
    expect(await held.desk.runsOf(monitor)).to.have.length(1);
  });

  describe('of a run that cannot begin', () => {
    /** Every reader of a list waits for this lock, which makes readers visible. */
    const withoutLists = async (act: () => Promise<unknown>) => {
      const { promise: isDone, resolve: end } = Promise.withResolvers<void>();
      const locked = Promise.withResolvers<void>();
      const holding = inTransaction(held.records.db, async (trx) => {
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
      const accountId = await held.records.account(1);
      const monitor = await held.desk.make(accountId);
      await at(2);
      await withoutLists(() => held.desk.pass());
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'insufficient_credits' });
      await inTransaction(held.records.db, (trx) => ledger.grant(trx, accountId, 5, null));
      expect(await runAt(3, monitor)).to.include({ status: 'completed', creditsCharged: 2 });
    });

    it('skip it if its sitemap is too long for the credits, without reading the list', async () => {
      await at(1, 0);
      const monitor = await held.desk.make(await held.records.account(1), { sitemapUrl });
      held.desk.sitemap.listed = null;
      await at(2);
      await held.desk.pass();
      await withoutLists(async () => {
        // Read within the last hour, so that it is not requested again.
        await sql`update monitors set sitemap_read_at = clock()`.execute(held.records.db);
        await held.desk.advanceAll();
      });
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'insufficient_credits' });
    });

    it('neither read nor begin nor notify it if the account is disabled before its sitemap is read', async () => {
      await at(1, 0);
      const accountId = await held.records.account(100);
      const monitor = await held.desk.make(accountId, { sitemapUrl });
      await at(2);
      await held.desk.pass();
      expect(await last(monitor)).to.include({ status: 'preparing' });
      held.desk.sitemap.readings = 0;
      await accounts.disable(held.records.db, accountId);
      await held.desk.advanceAll();
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'account_disabled' });
      expect([held.desk.sitemap.readings, await told(monitor)]).to.deep.equal([0, []]);
      await accounts.enable(held.records.db, accountId);
      held.desk.sitemap.listed = ['https://example.com/1', 'https://example.com/2'];
      expect(await runAt(3, monitor)).to.include({ status: 'completed' });
    });

    it('do not begin it if the account is disabled while its sitemap is read', async () => {
      await at(1, 0);
      const accountId = await held.records.account(100);
      const monitor = await held.desk.make(accountId, { sitemapUrl });
      await at(2);
      await held.desk.pass();
      const read = held.desk.deps.readSitemap;
      held.desk.deps.readSitemap = async () => {
        await accounts.disable(held.records.db, accountId);
        return ['https://example.com/1', 'https://example.com/2'];
      };
      await held.desk.advanceAll();
      held.desk.deps.readSitemap = read;
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'account_disabled' });
    });

    it('confirm nothing in a disabled account until it is enabled', async () => {
      await at(1, 0);
      const accountId = await held.records.account(100);
      const monitor = await held.desk.make(accountId);
      await runAt(1, monitor);
      await runAt(2, monitor, lost);
      await accounts.disable(held.records.db, accountId);
      await at(2, 25);
      expect((await held.desk.pass()).confirmed).to.equal(0);
      await accounts.enable(held.records.db, accountId);
      expect((await held.desk.pass()).confirmed).to.equal(1);
    });

    it('notify an unknown time zone once, and try it hourly until it is known again', async () => {
      await at(1, 0);
      const schedule = { every: 'day', at: '02:15', on: null, timezone: 'UTC' } as const;
      const accountId = await held.records.account(100);
      const monitor = await held.desk.make(accountId, { schedule });
      const zone = (name: string) =>
        sql`update monitors set schedule = schedule || ${JSON.stringify({ timezone: name })}::jsonb
          where account_id = ${accountId}`.execute(held.records.db);
      await zone('Mars/Olympus');
      for (const [hour, skipped] of [
        [2, 1],
        [3, 1],
        [4, 1],
      ] as const) {
        await at(hour);
        const passes = [await held.desk.pass(), await held.desk.pass()];
        expect(passes.map((passed) => passed.skipped)).to.deep.equal([skipped, 0]);
        expect(await last(monitor)).to.include({ status: 'skipped', reason: 'unknown_zone' });
      }
      expect(await told(monitor)).to.deep.equal(['monitor.run_skipped']);
      const row = await monitors.find(held.records.db, monitor);
      expect(row?.nextRunAt?.toISOString()).to.equal('2026-11-20T05:15:00.000Z');
      const { schedule: unknown, monitorId } = row ?? monitor;
      expect(countDue(unknown, monitorId, new Date(0), new Date())).to.equal(0);
      expect(momentInZone('Mars/Olympus', new Date(0))).to.match(/1970.*UTC$/);
      const resumed = await inTransaction(held.records.db, (trx) => resumeMonitor(trx, monitor));
      expect(resumed).to.include({ status: 'active' });
      await zone('Europe/Berlin');
      expect(await runAt(5, monitor)).to.include({ status: 'completed' });
      const after = await monitors.find(held.records.db, monitor);
      expect(after?.nextRunAt?.toISOString()).to.equal('2026-11-21T01:15:00.000Z');
    });
  });

  it('leave the ledger right', async () => {
    expect((await verify(held.records.db)).ok).to.equal(true);
  });

  it('have sent events as documented', () => expectToldAsDocumented(held.records.db));
});
