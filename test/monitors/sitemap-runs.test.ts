import { expect } from 'chai';
import { sql } from 'kysely';
import type * as monitors from '../../db/monitors/monitors.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { changeMonitor, deleteMonitor } from '../../monitors/monitor.ts';
import { httpAnswer } from '../support/answers.ts';
import { expectEventsMatchSchemas } from '../support/event-schemas.ts';
import { createSteps, useRunStepper } from '../support/run-stepper.ts';

describe('runs of a sitemap, step by step', () => {
  const stepper = useRunStepper();

  const fine = () => httpAnswer();
  const { at, last, runAt, eventNames } = createSteps(stepper);

  const listed = (...paths: string[]) => paths.map((path) => `https://example.com/${path}`);
  const make = (accountId: number, paths: string[], of = {}) =>
    stepper.make(accountId, {
      sitemapUrl: 'https://example.com/sitemap.xml',
      inputs: listed(...paths).map((url) => ({ url })),
      ...of,
    });
  const kinds = async (ref: monitors.MonitorRef) =>
    (
      await sql<{
        kind: string;
      }>`select kind from changes where monitor_id = ${ref.monitorId} order by kind`.execute(
        stepper.records.db,
      )
    ).rows.map(({ kind }) => kind);

  it('report added and removed addresses', async () => {
    await at(1, 0);
    const monitor = await make(await stepper.records.account(100), ['a', 'b', 'c']);
    stepper.sitemap.listed = listed('a', 'b', 'd');
    const run = await runAt(2, monitor);
    expect([run.status, run.subjects, run.changes]).to.deep.equal(['completed', 3, 2]);
    expect(await kinds(monitor)).to.deep.equal(['joined_sitemap', 'left_sitemap']);
  });

  it('reject a missing sitemap or one that lost more than half, notify once, and accept the short one when repeated', async () => {
    await at(1, 0);
    const monitor = await make(await stepper.records.account(100), ['a', 'b', 'c']);
    stepper.sitemap.listed = null;
    expect(await runAt(2, monitor)).to.include({ sitemapDoubtful: true, subjects: 3 });
    expect(await eventNames(monitor)).to.deep.equal(['monitor.run_completed']);
    stepper.sitemap.listed = [];
    expect(await runAt(3, monitor)).to.include({ sitemapDoubtful: true, subjects: 3 });
    stepper.sitemap.listed = listed('a');
    expect(await runAt(4, monitor)).to.include({ sitemapDoubtful: true, subjects: 3, changes: 0 });
    expect(await eventNames(monitor)).to.deep.equal(['monitor.run_completed']);
    expect(await runAt(5, monitor)).to.include({ sitemapDoubtful: false, subjects: 1, changes: 2 });
    expect(await eventNames(monitor)).to.deep.equal(['monitor.run_completed', 'monitor.changed']);
  });

  it('of a sitemap ten times as long cost no more than the limit; ignored entries are notified once', async () => {
    await at(1, 0);
    const monitor = await make(await stepper.records.account(100), ['a', 'b']);
    stepper.sitemap.listed = listed(...Array.from({ length: 20 }, (_, nth) => `n${nth}`), 'b', 'a');
    const run = await runAt(2, monitor);
    expect(run).to.include({ subjects: 4, creditsCharged: 4, leftOut: 18 });
    const { rows } = await sql<{ url: string }>`
        select input->>'url' as url from subjects where monitor_id = ${monitor.monitorId} and left_at is null
        order by position`.execute(stepper.records.db);
    expect(rows.map(({ url }) => url)).to.include.members(listed('a', 'b'));
    expect(await runAt(3, monitor)).to.include({ leftOut: 18, changes: 0 });
    expect(await eventNames(monitor)).to.deep.equal(['monitor.changed']);
  });

  it('read it once for all monitors of an account', async () => {
    await at(1, 0);
    const accountId = await stepper.records.account(100);
    const monitor = await make(accountId, ['a', 'b']);
    const other = await make(accountId, ['a', 'b']);
    stepper.sitemap.listed = listed('a', 'b');
    stepper.sitemap.readings = 0;
    await at(2);
    await stepper.pass();
    await stepper.advanceAll();
    expect(stepper.sitemap.readings).to.equal(1);
    for (const ref of [monitor, other]) {
      await stepper.answer(await last(ref), fine);
      expect((await last(ref)).subjects).to.equal(2);
    }
  });

  it('that cannot be paid for read it, are skipped and charge nothing', async () => {
    await at(1, 0);
    const accountId = await stepper.records.account(2);
    const monitor = await make(accountId, ['a', 'b', 'c']);
    stepper.sitemap.listed = listed('a', 'b', 'c');
    await at(2);
    await stepper.pass();
    expect((await last(monitor)).status).to.equal('preparing');
    await stepper.advanceAll();
    expect(await last(monitor)).to.include({
      status: 'skipped',
      reason: 'insufficient_credits',
      creditsCharged: 0,
    });
    expect(await eventNames(monitor)).to.deep.equal(['monitor.run_skipped']);
  });

  it('use its last list if it cannot be read in time', async () => {
    await at(1, 0);
    const monitor = await make(await stepper.records.account(100), ['a', 'b']);
    await at(2);
    await stepper.pass();
    const run = await last(monitor);
    await sql`update monitor_runs set created_at = now() - interval '6 minutes'
        where account_id = ${run.accountId} and run_id = ${run.runId}`.execute(stepper.records.db);
    expect((await stepper.pass()).sweptRuns).to.equal(1);
  });

  it('begin with changes made during the reading; a deleted monitor begins none', async () => {
    await at(1, 0);
    const monitor = await make(await stepper.records.account(100), ['a', 'b']);
    await at(2);
    await stepper.pass();
    const read = stepper.deps.readSitemap;
    stepper.deps.readSitemap = async () => {
      const inputs = listed('x').map((url) => ({ url }));
      await inTransaction(stepper.records.db, (trx) =>
        changeMonitor(trx, stepper.deps, monitor, {
          inputs,
          tokenId: null,
          toTerms: (terms) => ({ ...terms, sitemapUrl: null }),
        }),
      );
      return listed('a', 'b', 'c');
    };
    await stepper.advanceAll();
    expect(await last(monitor)).to.include({ status: 'running', subjects: 1 });
    const gone = await make(await stepper.records.account(100), ['a', 'b']);
    await at(3);
    await stepper.pass();
    stepper.deps.readSitemap = async () => {
      await inTransaction(stepper.records.db, (trx) => deleteMonitor(trx, gone));
      return listed('a');
    };
    await stepper.advanceAll();
    expect(await last(gone)).to.include({ status: 'skipped', reason: 'deleted' });
    expect(await eventNames(gone)).to.deep.equal([]);
    stepper.deps.readSitemap = read;
  });

  it('are retried with the changes if these are made while the run begins', async () => {
    await at(1, 0);
    const monitor = await make(await stepper.records.account(100), ['a', 'b']);
    stepper.sitemap.listed = listed('a', 'b');
    await at(2);
    await stepper.pass();
    const { requestIds } = stepper.deps;
    stepper.deps.requestIds = {
      ...requestIds,
      reserve: async (count) => {
        stepper.deps.requestIds = requestIds;
        const edit = { inputs: [{ url: 'https://example.com/x' }], tokenId: null };
        await inTransaction(stepper.records.db, (trx) =>
          changeMonitor(trx, stepper.deps, monitor, {
            ...edit,
            toTerms: (terms) => ({ ...terms, sitemapUrl: null }),
          }),
        );
        return requestIds.reserve(count);
      },
    };
    const failure = await stepper.advanceAll().catch((error) => error);
    expect(String(failure)).to.contain('tries again');
    expect(await last(monitor)).to.include({ status: 'preparing', creditsCharged: 0 });
    await stepper.advanceAll();
    expect(await last(monitor)).to.include({ status: 'running', subjects: 1, creditsCharged: 1 });
  });

  it('have sent events as documented', () => expectEventsMatchSchemas(stepper.records.db));
});
