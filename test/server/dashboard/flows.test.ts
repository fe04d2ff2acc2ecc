import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { borrowBrowser, openWindow } from '../../support/browser.ts';
import { enter, freePort } from '../../support/dashboard.ts';
import { TestService } from '../../support/service.ts';
import { serveSite, type TestSite } from '../../support/web.ts';

const run = promisify(execFile);

describe('the dashboard in a browser', () => {
  let browser: Browser;
  let service: TestService;
  let site: TestSite;

  before(async function () {
    browser = await borrowBrowser(this);
    const port = await freePort();
    site = await serveSite();
    service = await TestService.start(
      { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, SIGNUP: 'open', SIGNUP_CREDITS: '500' },
      { worker: true },
    );
  });

  after(async () => {
    await service?.stop();
    await site?.close();
  });

  it('leads from signing up to a token whose printed curl works', async () => {
    const { context, page, complaints } = await openWindow(browser, service.baseUrl);
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByLabel('Token name').fill('nightly');
    await page.getByRole('button', { name: 'Create token' }).click();
    const curl = await page.locator('#curl').innerText();
    const { stdout } = await run('bash', ['-c', curl]);
    expect(JSON.parse(stdout)).to.include({ success: true, is_indexed: true });

    await page.reload();
    expect(await page.locator('#token').count()).to.equal(0);
    await page.locator('summary', { hasText: 'Revoke nightly' }).click();
    await page.getByRole('button', { name: 'Revoke “nightly”' }).click();
    await page.getByRole('status').getByText('is revoked').waitFor();
    expect(JSON.parse((await run('bash', ['-c', curl])).stdout)).to.include({ error: 'unauthorized' });
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('checks 200 pasted addresses, moves the bar, and filters what came of them', async () => {
    const account = await service.account(1000);
    const { context, page, complaints } = await openWindow(browser, service.baseUrl);
    await enter(context, service, account);
    await page.goto('/');
    const kinds = ['good', 'missing', 'soft', 'moved'];
    const urls = Array.from({ length: 196 }, (_, index) => `${site.url}/${kinds[index % 4]}?${index}`);
    const lines = [...urls, urls[0], urls[1], urls[2], 'example.com/shoes'];
    await page.getByLabel('What to check').fill(lines.join('\n'));
    const reading = page.locator('#reading');
    await reading.getByText('200 URLs, 3 duplicates, 1 invalid; costs 196 of your 1,000 credits').waitFor();
    await reading.getByText('Line 200').waitFor();
    await reading.getByText('Did you mean https://example.com/shoes?').waitFor();

    await page.getByRole('button', { name: 'Check HTTP status' }).click();
    await page.waitForURL('**/batches/*');
    await page.getByText('100%').waitFor();
    await page.locator('#results tbody tr').nth(49).waitFor();
    await page.getByRole('link', { name: '4xx 49' }).click();
    await page.getByRole('heading', { name: '4xx 49' }).waitFor();
    expect(await page.getByText('404 Not Found').count()).to.equal(49);
    await page.getByRole('searchbox').fill('?5');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: '4xx 3' }).waitFor();
    expect(await shownUrls(page)).to.deep.equal([5, 53, 57].map((index) => `${site.url}/missing?${index}`));

    await page.getByRole('link', { name: 'Soft 404 49' }).click();
    await page.getByText('The title says “not found”.').first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv.trim().split('\n')).to.have.length(198);
    expect(csv).to.contain(`${site.url}/missing?5`);
    expect(await service.credits(account.accountId)).to.equal(804);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('finds ranks, and shows the way of a query that was checked twice', async () => {
    const account = await service.account(100);
    const { context, page, complaints } = await openWindow(browser, service.baseUrl);
    await enter(context, service, account);
    for (let round = 0; round < 2; round++) {
      await page.goto('/');
      await page.getByLabel('What to check').fill('running shoes\nleather bags');
      if (round === 0) {
        await page.getByRole('button', { name: 'Check ranks' }).click();
        await page.getByRole('alert').getByText('Name the site or page').waitFor();
      }
      await page.getByLabel('Site or page').fill('rank-7.example');
      await page.getByRole('button', { name: 'Check ranks' }).click();
      await page.getByText('100%').waitFor();
    }
    await page.getByText('Page 1, position 7: https://rank-7.example/').first().waitFor();
    await page.getByRole('link', { name: 'Ranks' }).click();
    await page.getByRole('img', { name: 'Rank by date' }).waitFor();
    await page.getByText('As a table').click();
    expect(await page.getByRole('cell', { name: '7', exact: true }).count()).to.be.at.least(4);
    expect(complaints.filter((line) => !line.includes('422'))).to.deep.equal([]);
    await context.close();
  });

  it('works with scripts off: read, check, watch, page, sign out', async () => {
    const account = await service.account(100);
    const { context, page, complaints } = await openWindow(browser, service.baseUrl, {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    await enter(context, service, account);
    await page.goto('/?sample=1');
    await page.getByRole('button', { name: 'Read it first' }).click();
    await page.getByText('20 URLs, 0 duplicates, 0 invalid; costs 20 of your 100 credits').waitFor();
    await page.getByLabel('CSV or text file').setInputFiles({
      name: 'urls.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'name,url\nshoes,https://indexed.example/file\nbags,https://not-indexed.example/file\n',
      ),
    });
    await page.getByLabel('What to check').fill('');
    await page.getByRole('button', { name: 'Check index' }).click();
    await page.getByText('Not used: name').waitFor();
    await page.getByRole('button', { name: 'Check index' }).click();
    await page.getByRole('heading', { name: 'Google index, 2 URLs' }).waitFor();
    await service.quiet();
    await page.reload();
    await page.getByRole('link', { name: 'Not indexed 1' }).click();
    expect(await shownUrls(page)).to.deep.equal(['https://not-indexed.example/file']);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByLabel('Token name').fill('plain');
    await page.getByRole('button', { name: 'Create token' }).click();
    expect(await page.locator('#token').innerText()).to.match(/^sonde_\w{36}$/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(complaints.filter((line) => !line.includes('422'))).to.deep.equal([]);
    await context.close();
  });
});

describe('the dashboard while nothing is being worked on', () => {
  let browser: Browser;
  let service: TestService;

  before(async function () {
    browser = await borrowBrowser(this);
    service = await TestService.start();
  });

  after(() => service?.stop());

  it('cancels a batch with its credits back, and tries again what failed', async () => {
    const account = await service.account(100);
    const { context, page, complaints } = await openWindow(browser, service.baseUrl);
    await enter(context, service, account);
    await page.goto('/');
    await page.getByRole('link', { name: 'Try with sample data' }).click();
    await page.getByRole('button', { name: 'Check index' }).click();
    await page.getByText('Waiting').waitFor();
    expect(await service.credits(account.accountId)).to.equal(80);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Credits for what was not checked are back.').waitFor();
    await page.getByText('20 credits charged, 20 refunded').waitFor();
    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByText('Tries again what failed in').waitFor();
    expect(await service.credits(account.accountId)).to.equal(80);
    expect(await page.getByRole('button', { name: 'Retry failed' }).count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('shows that a batch has ended without a touch on what somebody types', async () => {
    const account = await service.account(100);
    const body = { urls: ['https://indexed.example/'], reference: 'Ends meanwhile' };
    const started = await service.call('/check/bulk', { token: account.token, body });
    const { context, page, complaints } = await openWindow(browser, service.baseUrl);
    await enter(context, service, account);
    await page.goto('/');
    await page.getByRole('region', { name: 'Running' }).getByText('Ends meanwhile').waitFor();
    await page.getByLabel('What to check').fill('https://example.com/typed');
    await service.call(`/batch/${started.body.batch_id}/cancel`, { token: account.token, method: 'POST' });
    await page.getByRole('region', { name: 'Last checked' }).getByText('Canceled').waitFor();
    expect(await page.getByRole('region', { name: 'Running' }).count()).to.equal(0);
    expect(await page.locator('#activity').getAttribute('hx-get')).to.equal(null);
    expect(await page.getByLabel('What to check').inputValue()).to.equal('https://example.com/typed');
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('keeps what was typed until it was taken', async () => {
    const account = await service.account(100);
    const { context, page } = await openWindow(browser, service.baseUrl);
    await enter(context, service, account);
    const typed = 'https://indexed.example/typed';
    const box = page.getByLabel('What to check');
    await page.goto('/');
    await box.fill(typed);
    await page.locator('#reading').getByText('1 URL').waitFor();
    await page.route('**/*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Check index' }).click();
    await page.unroute('**/*');
    await page.goto('/');
    expect(await box.inputValue()).to.equal(typed);
    await page.locator('#reading').getByText('1 URL').waitFor();
    await page.getByRole('button', { name: 'Check index' }).click();
    await page.waitForURL('**/batches/*');
    await page.goto('/');
    expect(await box.inputValue()).to.equal('');
    await context.close();
  });

  it('takes a long spreadsheet, lets its column be chosen, and shows one bar', async () => {
    const account = await service.account(20_000);
    const { context, page } = await openWindow(browser, service.baseUrl);
    await enter(context, service, account);
    await page.goto('/');
    const rows = Array.from(
      { length: 9_000 },
      (_, at) => `${at},https://a.example/${at},https://indexed.example/${at}?${'x'.repeat(60)}`,
    );
    await page.getByText('From a file or a sitemap').click();
    await page.getByLabel('CSV or text file').setInputFiles({
      name: 'backlinks.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`#,Referring page URL,Target URL\n${rows.join('\n')}\n`),
    });
    await page.getByText('backlinks.csv, 1.0 MB').waitFor();
    await page.getByLabel('Addresses from').selectOption({ label: 'Target URL' });
    await page.getByText('Not used: #, Referring page URL').waitFor();
    await page.getByRole('button', { name: 'Check index' }).click();
    await page.waitForURL('**/submissions/*');
    await page.getByText('0 of 9,000 checked').waitFor();
    expect(await page.getByRole('progressbar').first().getAttribute('aria-valuetext')).to.equal('0 of 9,000');
    expect(await service.credits(account.accountId)).to.equal(11_000);
    await context.close();
  });

  it('makes one batch of a form that is sent twice', async () => {
    const account = await service.account(100);
    const { context, page } = await openWindow(browser, service.baseUrl, { javaScriptEnabled: false });
    await enter(context, service, account);
    await page.goto('/?sample=1');
    const fields = await page
      .locator('#box input[type=hidden]')
      .evaluateAll((inputs) =>
        inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
      );
    const send = () =>
      page.request.post('/', {
        multipart: { ...Object.fromEntries(fields), text: 'https://indexed.example/', check: 'index' },
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        maxRedirects: 0,
      });
    const [first, second] = await Promise.all([send(), send()]);
    expect(first.status()).to.equal(303);
    expect(second.headers().location).to.equal(first.headers().location);
    expect(await service.credits(account.accountId)).to.equal(99);
    await context.close();
  });
});

async function shownUrls(page: Page): Promise<string[]> {
  return page.locator('#results td.asked a').allInnerTexts();
}
