import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts/accounts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/proofs.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import { perform } from '../../db/postgres/act.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { countDue } from '../../monitors/due-times.ts';
import { resume } from '../../monitors/pause.ts';
import { momentInZone } from '../../server/dashboard/monitors/monitor-view.ts';
import { httpAnswer } from '../support/answers.ts';
import { deskOfSuite } from '../support/desk-of-suite.ts';
import { stepsOf } from '../support/run-desk.ts';

const sitemapUrl = 'https://example.com/sitemap.xml';
const lost = () => httpAnswer({ status: 0, error: 'connect_timeout' });

describe('what cannot run', () => {
  const held = deskOfSuite();
  const { at, last, runAt, told } = stepsOf(() => held.desk);

  /** Whoever reads a list waits for this lock, so that it is seen who does. */
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

  it('for want of credits is skipped before its list is read, and begins once it can be paid for', async () => {
    await at(1, 0);
    const accountId = await held.records.account(1);
    const monitor = await held.desk.make(accountId);
    await at(2);
    await withoutLists(() => held.desk.pass());
    expect(await last(monitor)).to.include({ status: 'skipped', reason: 'insufficient_credits' });
    await inTransaction(held.records.db, (trx) => ledger.grant(trx, accountId, 5, null));
    expect(await runAt(3, monitor)).to.include({ status: 'completed', creditsCharged: 2 });
  });

  it('of a sitemap that has become too long for the credits is skipped, its list unread', async () => {
    await at(1, 0);
    const monitor = await held.desk.make(await held.records.account(1), { sitemapUrl });
    held.desk.sitemap.listed = null;
    await at(2);
    await held.desk.pass();
    await withoutLists(async () => {
      // Read an hour ago, so that it is not asked for again.
      await sql`update monitors set sitemap_read_at = clock()`.execute(held.records.db);
      await held.desk.advanceAll();
    });
    expect(await last(monitor)).to.include({ status: 'skipped', reason: 'insufficient_credits' });
  });

  it('of an account that is disabled while its sitemap is to be read is neither read nor begun, nor told', async () => {
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

  it('of one that is disabled while its sitemap is read does not begin either', async () => {
    await at(1, 0);
    const accountId = await held.records.account(100);
    const monitor = await held.desk.make(accountId, { sitemapUrl });
    await at(2);
    await held.desk.pass();
    const read = held.desk.starter.readSitemap;
    held.desk.starter.readSitemap = async () => {
      await accounts.disable(held.records.db, accountId);
      return ['https://example.com/1', 'https://example.com/2'];
    };
    await held.desk.advanceAll();
    held.desk.starter.readSitemap = read;
    expect(await last(monitor)).to.include({ status: 'skipped', reason: 'account_disabled' });
  });

  it('of a disabled account confirms nothing until it is enabled', async () => {
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

  it('for its zone is known no more is said once and looked at by the hour, until it is known again', async () => {
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
    expect(await perform(held.records.db, resume(monitor))).to.include({ status: 'active' });
    await zone('Europe/Berlin');
    expect(await runAt(5, monitor)).to.include({ status: 'completed' });
    const after = await monitors.find(held.records.db, monitor);
    expect(after?.nextRunAt?.toISOString()).to.equal('2026-11-21T01:15:00.000Z');
  });

  it('leaves the ledger sound', async () => {
    expect((await verify(held.records.db)).ok).to.equal(true);
  });
});
