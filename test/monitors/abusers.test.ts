import { expect } from 'chai';
import { sql } from 'kysely';
import { createAllowance, toUnits } from '../../accounts/allowance.ts';
import { verify } from '../../db/ledger/verification.ts';
import { eventually } from '../support/eventually.ts';
import { asSerper, useGoogle } from '../support/google.ts';
import { receive } from '../support/receiver.ts';
import { createSteps, deleteMonitors, useServiceStepper } from '../support/run-stepper.ts';
import { useAccount, useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

/** Allowance per hour of an account that has not paid any credits (docs/limits.md). */
const perHour = 20_000;

describe('a user who causes work with monitors without paying', () => {
  const google = useGoogle();
  const limits = { RATE_LIMIT_PER_MINUTE: '600', SERP_REUSE_SECONDS: '0' };
  const service = useService(() => ({ ...google.env('serper'), ...limits }), { worker: true });
  const site = useSite((req, res) => {
    asked += 1;
    if (req.url === '/sitemap.xml') return res.end(sitemap);
    // Redirects to an address that is never contacted. The caller is at fault, and the check is refunded.
    return res.writeHead(302, { Location: 'http://10.0.0.1/' }).end();
  });
  const stepper = useServiceStepper(service);
  const account = useAccount(service, 1000, { isForEach: true });
  let asked = 0;
  let sitemap = '';

  beforeEach(() => {
    asked = 0;
  });
  const { at, last, eventNames } = createSteps(stepper);
  const make = (of: object) => stepper.make(account.accountId, of);
  /** Starts due runs hour by hour until the end of the day; returns the runs. */
  const hourly = async (monitor: Awaited<ReturnType<typeof make>>, hours: number) => {
    for (let hour = 2; hour < 2 + hours; hour++) {
      await at(hour);
      await stepper.pass();
      await eventually(async () => ((await last(monitor)).finishedAt ? true : null));
    }
    return stepper.runsOf(monitor);
  };
  const used = () => service.allowanceUsed(account.token);
  const createUrls = (count: number) => Array.from({ length: count }, (_, nth) => `${site.url}/${nth}`);

  it('by addresses that are refunded each hour is stopped by the allowance, notified once, and keeps the credits', async () => {
    await at(1, 0);
    const each = 100;
    // Most of the allowance is used up first, so that it is exhausted sooner.
    const before = { upstreamPages: (perHour / toUnits({ upstreamPages: 1 })) * (7 / 8) };
    await createAllowance(service.db, { isOff: false }).recordUnbilled(service.db, account.accountId, before);
    const monitor = await make({ inputs: createUrls(each).map((url) => ({ url })) });
    const runs = await hourly(monitor, 10);
    const begun = runs.filter(({ status }) => status === 'failed');
    const stopped = runs.slice(begun.length);
    expect(begun.length).to.be.within(
      2,
      Math.ceil((perHour - toUnits(before)) / (each * toUnits({ slotSeconds: 1 }))),
    );
    expect(stopped.map(({ reason }) => reason)).to.deep.equal(
      Array(10 - begun.length).fill('allowance_exhausted'),
    );
    expect(asked).to.be.at.most(begun.length * each);
    expect((await eventNames(monitor)).filter((event) => event === 'monitor.run_skipped')).to.have.length(1);
    expect(await service.credits(account.accountId)).to.equal(1000);
  });

  it('by `full` and ten competitors gets the allowed pages per credit, or is stopped', async () => {
    const competitors = Array.from({ length: 10 }, (_, nth) => `rival-${nth}.example`);
    const create = async (count: number) => {
      const queries = Array.from({ length: count }, (_, nth) => ({
        ...{ keyword: `shoes ${nth}`, url: 'nobody.example', full: true, end_page: 10, competitors },
      }));
      const body = { name: 'M', type: 'keyword', queries, schedule: { every: 'hour', at: '00:15' } };
      const { monitor } = (await service.call('/monitors', { token: account.token, body })).body;
      return { accountId: account.accountId, monitorId: monitor.monitor_id } as never;
    };
    await at(1, 0);
    google.serper.willAnswer(({ body: text }) => ({ body: asSerper(JSON.parse(text)) }));
    const [run] = await hourly(await create(3), 1);
    expect(run).to.include({ status: 'completed', creditsCharged: 3 });
    expect(google.serper.seen.length).to.be.at.most(3 * 10);

    await deleteMonitors(service.db);
    // For each query, three pages are paid for, and then the provider fails.
    google.serper.willAnswer(({ body: text }) => {
      const page = JSON.parse(text);
      return (page.page ?? 1) > 3 ? { status: 500, body: '' } : { body: asSerper(page) };
    });
    await at(1, 0);
    const runs = await hourly(await create(20), 8);
    const begun = runs.filter(({ status }) => status !== 'skipped').length;
    expect(runs.at(-1)?.reason).to.equal('allowance_exhausted');
    const pages = google.serper.seen.filter(({ body: text }) => (JSON.parse(text).page ?? 1) <= 3).length;
    expect(pages).to.be.at.most(begun * 20 * 3);
    expect(pages * toUnits({ upstreamPages: 1 })).to.be.at.most(perHour + 20 * 3 * 100 + 3 * 50);
    expect(await service.credits(account.accountId)).to.equal(997);
  });

  it('by a sitemap that grows each night checks and stores no more than the limit', async () => {
    const grow = (count: number) => {
      sitemap = `<urlset>${createUrls(count)
        .map((url) => `<url><loc>${url}</loc></url>`)
        .join('')}</urlset>`;
    };
    grow(3);
    const body = {
      ...{ name: 'M', type: 'http', sitemap_url: `${site.url}/sitemap.xml` },
      schedule: { every: 'day', at: '06:00' },
    };
    const { monitor } = (await service.call('/monitors', { token: account.token, body })).body;
    expect(monitor.subjects_max).to.equal(6);
    const ref = { accountId: account.accountId, monitorId: monitor.monitor_id };
    const next = () =>
      sql`update monitors set next_run_at = clock(), sitemap_read_at = null where deleted_at is null`.execute(
        service.db,
      );
    for (const [nth, count] of [30, 300, 3000].entries()) {
      grow(count);
      await at(2 + nth);
      await next();
      await stepper.pass();
      const run = await eventually(async () => ((await last(ref)).finishedAt ? last(ref) : null));
      expect(run).to.include({ subjects: 6, creditsCharged: 6, leftOut: count - 6 });
    }
    const { rows } = await sql<{ kept: number }>`
      select count(*)::int as kept from subjects where monitor_id = ${ref.monitorId}::uuid`.execute(
      service.db,
    );
    expect(rows[0]?.kept).to.equal(6);
    expect(await used()).to.be.at.least(3 * toUnits({ sitemaps: 1 }));
  });

  it('by a receiver that does not answer gets a few events at once, and each of an unpaid run costs allowance', async () => {
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    let [open, most] = [0, 0];
    const receiver = await receive((res) => {
      open += 1;
      most = Math.max(most, open);
      void isLetGo.then(() => {
        open -= 1;
        res.writeHead(204).end();
      });
    });
    await at(1, 0);
    const notify = { when: 'always' as const, webhook_url: receiver.url, email: false };
    const made = await Promise.all(
      Array.from({ length: 9 }, (_, nth) => make({ notify, inputs: [{ url: `${site.url}/hang-${nth}` }] })),
    );
    await at(2);
    await stepper.pass();
    for (const one of made) await eventually(async () => ((await last(one)).finishedAt ? true : null));
    await eventually(async () => (open === 4 ? true : null));
    expect(await used()).to.be.at.least(9 * toUnits({ deliveries: 1 }));
    // The other monitors continue meanwhile.
    await at(3);
    await stepper.pass();
    for (const one of made) {
      const runs = await eventually(async () => {
        const all = await stepper.runsOf(one);
        return all.every(({ finishedAt }) => finishedAt) ? all : null;
      });
      expect(runs.map(({ status }) => status)).to.deep.equal(['failed', 'failed']);
    }
    letGo();
    await eventually(async () => (receiver.received.length === 18 ? true : null));
    expect(most).to.equal(4);
    await receiver.close();
  });

  it('leaves the ledger right', async () => {
    expect((await verify(service.db)).ok).to.equal(true);
  });
});
