import { expect } from 'chai';
import { sql } from 'kysely';
import { verify } from '../../db/ledger/verification.ts';
import { eventually } from '../support/eventually.ts';
import { useAccount, useService } from '../support/service.ts';
import { type HeldSite, serveHeld, useSite } from '../support/web.ts';

describe('a monitor under adverse conditions', () => {
  const service = useService({}, { worker: true });
  const account = useAccount(service, 1000, { isForEach: true });
  const site = useSite((req, res) => {
    const file = files[req.url ?? ''];
    if (file === undefined) res.statusCode = 404;
    res.end(file);
  });
  let files: Record<string, string> = {};

  before(() => service.pauseMonitors());
  beforeEach(async () => {
    files = {};
  });

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
  const make = async (fields: object) => {
    const body = { name: 'M', type: 'http', schedule: { every: 'month' }, ...fields };
    const { status, body: answer } = await call('/monitors', { body });
    expect(status, JSON.stringify(answer)).to.equal(201);
    return `/monitors/${answer.monitor.monitor_id}`;
  };
  const runNow = async (path: string) => {
    const { status, body } = await call(`${path}/run`, { method: 'POST' });
    expect(status, JSON.stringify(body)).to.equal(202);
    return body.run.run_id;
  };
  const findEndedRun = async (runId: string) =>
    (
      await sql<Record<string, unknown>>`
        select status, reason, subjects, checked, sitemap_doubtful from monitor_runs
        where account_id = ${account.accountId} and run_id = ${runId}::uuid and finished_at is not null`.execute(
        service.db,
      )
    ).rows[0] ?? null;
  const ended = (runId: string) => eventually(() => findEndedRun(runId));
  /** Makes the last reading older than an hour. Until then, the sitemap is not read again. */
  const anHourLater = () =>
    sql`update monitors set sitemap_read_at = now() - interval '2 hours'
      where account_id = ${account.accountId} and sitemap_read_at is not null`.execute(service.db);
  const isHeld = (held: HeldSite) => eventually(async () => (held.held() > 0 ? true : null));

  const pages = (...paths: string[]) =>
    `<urlset>${paths.map((path) => `<url><loc>${path.includes('//') ? path : `${site.url}/${path}`}</loc></url>`).join('')}</urlset>`;
  const index = (...paths: string[]) =>
    `<sitemapindex>${paths
      .map((path) => `<sitemap><loc>${path.includes('//') ? path : site.url + path}</loc></sitemap>`)
      .join('')}</sitemapindex>`;

  it('with an index of indexes reads all of it, itself only once, and no private address', async () => {
    files = {
      '/all.xml': index('/all.xml', '/inner.xml', '/c.xml'),
      '/inner.xml': index('/all.xml', '/ab.xml'),
      '/ab.xml': pages('a', 'b'),
      '/c.xml': pages('c', 'a', 'http://10.0.0.7/secret', 'file:///etc/passwd'),
    };
    const path = await make({ sitemap_url: `${site.url}/all.xml` });
    expect((await call(path)).body.monitor).to.include({ subjects: 3, subjects_max: 6 });
    await anHourLater();
    files['/c.xml'] = pages('c', 'd', 'http://169.254.169.254/latest');
    expect(await ended(await runNow(path))).to.include({ status: 'completed', subjects: 4, checked: 4 });
    await anHourLater();
    // One sitemap of the index cannot be read, so the others are ignored, too.
    files['/all.xml'] = index('/ab.xml', 'http://10.0.0.7/sitemap.xml');
    expect(await ended(await runNow(path))).to.include({ sitemapDoubtful: true, subjects: 4, checked: 4 });
    await anHourLater();
    files = {};
    expect(await ended(await runNow(path))).to.include({ sitemapDoubtful: true, subjects: 4 });
  });

  it('continues when the token of its creator is revoked during a run, because it belongs to the account', async () => {
    const held = await serveHeld();
    const path = await make({ urls: [`${held.url}/`] });
    const runId = await runNow(path);
    await isHeld(held);
    await sql`update api_tokens set revoked_at = now() where account_id = ${account.accountId}`.execute(
      service.db,
    );
    expect((await call(path)).status).to.equal(401);
    held.release();
    expect(await ended(runId)).to.include({ status: 'completed', checked: 1 });
    await held.close();
  });

  it('completes a run unchanged when it is changed meanwhile, and checks the rest in the next run', async () => {
    const held = await serveHeld();
    files['/1'] = files['/2'] = 'shoes';
    const path = await make({ urls: [`${held.url}/`] });
    const runId = await runNow(path);
    await isHeld(held);
    const urls = [`${site.url}/1`, `${site.url}/2`];
    const { body } = await call(path, {
      method: 'PATCH',
      body: { urls, schedule: { every: 'day', at: '04:00' } },
    });
    expect(body.monitor).to.include({ subjects: 2, status: 'active' });
    held.release();
    expect(await ended(runId)).to.include({ status: 'completed', subjects: 1, checked: 1 });
    expect(await ended(await runNow(path))).to.include({ status: 'completed', subjects: 2, checked: 2 });
    expect((await call(`${path}/changes`)).body.total).to.equal(0);
    await held.close();
  });

  it('leaves the ledger right', async () => {
    expect((await verify(service.db)).ok).to.equal(true);
  });
});
