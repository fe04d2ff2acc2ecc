import { expect } from 'chai';
import type { TestAccount } from '../../support/accounts.ts';
import { rankAnswer, rankQuery } from '../../support/answers.ts';
import { bringAxe, ColourJudge, faultsOf } from '../../support/axe.ts';
import { borrowBrowser, openWindow } from '../../support/browser.ts';
import { enter, openAs, visit } from '../../support/dashboard.ts';
import { monitored } from '../../support/monitored.ts';
import { useService } from '../../support/service.ts';
import { useSite } from '../../support/web.ts';

describe('the pages of the dashboard', () => {
  const service = useService({ SIGNUP: 'open' }, { worker: true });
  const receiver = useSite((req, res) => {
    const status = Number(req.url?.slice(1)) || 204;
    res.writeHead(status, status === 302 ? { Location: '/200' } : {}).end();
  });
  let owner: TestAccount;
  let [batchId, ranksId, checkPath, statusId, monitorPath] = ['', '', '', '', ''];
  const paths = () => [
    '/',
    '/?sample=1',
    '/batches',
    '/batches/singles',
    `/batches/${batchId}`,
    `/batches/${batchId}/compare?with=${batchId}`,
    `/batches/${batchId}/report`,
    `/batches/${ranksId}`,
    checkPath,
    `/batches/${statusId}`,
    '/monitors',
    monitorPath,
    ...['changes', 'runs', 'subjects', 'subjects/1'].map((part) => `${monitorPath}/${part}`),
    '/ranks',
    '/ranks/a.example',
    '/ranks/checks',
    '/tokens',
    '/credits',
    '/webhooks?secret=shown',
    `/webhooks/${batchId}`,
    '/settings',
    '/batches/nothing',
  ];

  before(async () => {
    owner = await service.account(1000);
    const { token } = owner;
    const urls = ['https://indexed.example/', 'https://not-indexed.example/', 'example'];
    const bulk = { urls, on_invalid: 'skip', webhook_url: `${receiver.url}/hook` };
    const queries = ['a', 'b', 'a', 'b'].map((keyword) => ({ keyword, url: 'rank-4.example' }));
    ranksId = await service.runBatch(token, '/keyword-track', { queries });
    const query = { keyword: 'overview-shown', url: 'rank-2.example', competitors: ['rank-3.example'] };
    const include = ['results', 'features', 'ai_overview'];
    const single = await service.call('/keyword-track', {
      token,
      body: { queries: [{ ...query, include }] },
    });
    checkPath = `/checks/${single.body.request_id}`;
    const statuses = [200, 302, 404, 500, 999].map((status) => `${receiver.url}/${status}`);
    const http = { urls: [...statuses, 'http://127.0.0.1:1/', 'no'], on_invalid: 'skip' };
    statusId = await service.runBatch(token, '/http-status/bulk', http);
    batchId = await service.runBatch(token, '/check/bulk', bulk);
    const input = rankQuery({ keyword: 'shoes', target_url: 'a.example', end_page: 1 });
    const monitor = await monitored(service, owner.accountId, 'keyword', [input]);
    for (const [days, rank] of [18, 9].entries())
      await monitor.run(new Date(Date.now() - (2 - days) * 86_400_000), [rankAnswer(rank)]);
    monitorPath = `/monitors/${monitor.monitorId}`;
    await service.quiet();
  });

  it('hide everything from other accounts', async () => {
    const stranger = await visit(service, await service.account(0));
    const own = await visit(service, owner);
    const series = /series=([0-9a-f]{64})/.exec((await own.get('/ranks/checks')).text)?.[1];
    const ids = [`/batches/${batchId}`, `/batches/${batchId}/live`, `/batches/${batchId}/results`];
    for (const path of [...ids, `/webhooks/${batchId}`, `/ranks/checks?series=${series}`]) {
      expect([path, (await own.get(path)).status]).to.deep.equal([path, 200]);
      const others = await stranger.get(path);
      expect([path, others.status]).to.deep.equal([path, 404]);
      expect(others.text).not.to.match(/indexed\.example|rank-4/);
    }
    for (const path of [
      `/batches/${batchId}/cancel`,
      `/batches/${batchId}/retry`,
      `/webhooks/${batchId}/resend`,
      '/tokens/1/revoke',
    ]) {
      const answer = await stranger.post(path);
      expect([path, answer.status]).to.deep.equal([path, 404]);
    }
    for (const path of ['/', '/batches', '/ranks', '/ranks/checks', '/tokens', '/credits', '/webhooks']) {
      expect((await stranger.get(path)).text).not.to.match(/not-indexed\.example|rank-4|hook"|1,000/);
    }
  });

  it('link from a part of a page to the whole page', async () => {
    const urls = Array.from({ length: 51 }, (_, number) => `https://indexed.example/${number}`);
    const id = await service.runBatch(owner.token, '/check/bulk', { urls });
    const own = await visit(service, owner);
    const { text } = await own.get(`/batches/${id}/results?sort=answer`);
    expect(text).to.contain(`href="/batches/${id}?sort=answer&amp;page=2"`);
    expect(text).to.contain(`href="/batches/${id}?sort=asked#results"`);
  });

  it('test webhooks, resend a delivery, and rotate the secret', async () => {
    const browser = await visit(service, owner);
    await browser.post('/webhooks/test', { url: `${receiver.url}/hook` });
    expect((await browser.get('/webhooks')).text).to.contain('responded to the test with status 204');
    await browser.post('/webhooks/test', { url: 'http://127.0.0.1:9/' });
    expect((await browser.get('/webhooks')).text).to.match(
      /The test was not delivered: Connection refused \(after [\d.]+ m?s\)\./,
    );
    await browser.post(`/webhooks/${batchId}/resend`);
    await service.quiet();
    expect((await browser.get(`/webhooks/${batchId}`)).text).to.contain('No. 2');
    const shown = async () =>
      /whsec_[\w+/=]{40,}/.exec((await browser.get('/webhooks?secret=shown')).text)?.[0];
    expect(await shown()).to.equal(owner.webhookSecret);
    await browser.post('/webhooks/rotate');
    expect(await shown()).not.to.equal(owner.webhookSecret);
  });

  it('are accessible, load no blocked content, and fit every width, light and dark', async function () {
    const { context, page, complaints } = await openWindow(await borrowBrowser(this), service.baseUrl);
    await bringAxe(context);
    const faults: string[] = [];
    const colours = new ColourJudge();
    const inspect = async (path: string) => {
      await page.goto(path);
      // No script of these pages reads the width, so one load serves all widths.
      for (const width of [1600, 360]) {
        await page.setViewportSize({ width, height: 800 });
        faults.push(...(await page.evaluate<string[]>(unfit)).map((fault) => `${path} ${width} ${fault}`));
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const found = await colours.faultsOf(page);
        if (colorScheme === 'light') found.push(...(await faultsOf(page)));
        faults.push(...found.map((fault) => `${path} ${colorScheme} ${fault}`));
      }
    };
    for (const path of ['/', '/sign-in', '/sign-up']) await inspect(path);
    await enter(context, service, owner);
    for (const path of paths()) await inspect(path);
    expect(faults).to.deep.equal([]);
    expect(colours.looks).to.be.above(50);
    expect(complaints.filter((line) => !line.includes('404'))).to.deep.equal([]);
  });

  it('keep meaningful colors when readers choose their own', async function () {
    const { page } = await openAs(this, service, owner, { forcedColors: 'active' });
    await page.goto(`/batches/${statusId}`);
    const dots = await page.evaluate<string[]>(
      "[...document.querySelectorAll('a.count .dot')].map((dot) => getComputedStyle(dot).backgroundColor)",
    );
    expect(new Set(dots).size).to.be.at.least(5);
  });

  it('are printed in the light scheme', async function () {
    const { page } = await openAs(this, service, owner);
    await page.goto(monitorPath);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const one of ['html', 'body', '.card'])
      expect(await page.evaluate(`getComputedStyle(document.querySelector('${one}')).background`)).to.match(
        /^rgb\(255/,
      );
  });

  it('keep the head of a long table in view', async function () {
    const { page } = await openAs(this, service, owner, { viewport: { width: 1280, height: 520 } });
    await page.goto(`/batches/${statusId}`);
    await page.locator('#results tbody tr').last().scrollIntoViewIfNeeded();
    await page.evaluate(
      "document.querySelector('#results tbody tr:last-child').scrollIntoView({ block: 'start' })",
    );
    await page.evaluate('window.scrollBy(0, -160)');
    const tops = await page.evaluate<number[]>(
      "['#results > .head', '#results thead th'].map((one) => document.querySelector(one).getBoundingClientRect().top)",
    );
    expect(tops.map(Math.round)).to.deep.equal([0, 64]);
  });

  for (const width of [360, 1600]) {
    it(`fit their labels into a window of ${width} pixels`, async function () {
      const { page } = await openAs(this, service, owner, { viewport: { width, height: 800 } });
      // Even a narrow row shows state and progress.
      await page.goto('/batches');
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/batches/${statusId}"]`) });
      for (const part of ['.told', '.checked']) expect(await row.locator(part).isVisible()).to.equal(true);
      expect(await row.locator('.told').innerText()).to.match(/Dead\s+3/);
      await page.goto('/?check=ranks');
      const widths = `[...document.querySelectorAll('.ranks .long > *')].map((one) => Math.round(one.getBoundingClientRect().width))`;
      for (const wide of await page.evaluate<number[]>(widths)) expect(wide).to.be.at.least(200);
      // A touch screen sorts with a select; a wide table by its column heads.
      await page.goto(`/batches/${statusId}`);
      expect(await page.getByLabel('Sort by').isVisible()).to.equal(width === 360);
    });
  }
});

/** Returns the overflow of the page, and controls below 24 pixels in height (WCAG 2.2, 2.5.8). */
const unfit = `[document.documentElement.scrollWidth - window.innerWidth]
  .flatMap((overflow) => (overflow > 0 ? [overflow + ' pixels too wide'] : []))
  .concat([...document.querySelectorAll('summary')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24)
    .map((one) => one.outerHTML))`;
