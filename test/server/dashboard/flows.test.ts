import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { borrowBrowser, openWindow } from '../../support/browser.ts';
import { beginCheck, openAs } from '../../support/dashboard.ts';
import { freePort } from '../../support/free-port.ts';
import { useService } from '../../support/service.ts';
import { useSite } from '../../support/web.ts';

const run = promisify(execFile);

describe('the dashboard in a browser', () => {
  const site = useSite();
  const service = useService(
    async () => {
      const port = String(await freePort());
      const address = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
      return { ...address, SIGNUP: 'open', SIGNUP_CREDITS: '500' };
    },
    { worker: true },
  );

  it('goes from sign-up to a token whose curl command works', async function () {
    const { page, complaints } = await openWindow(await borrowBrowser(this), service.baseUrl);
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign up' }).first().click();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.locator('summary', { hasText: 'Developers' }).click();
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
    await page.getByRole('status').getByText('revoked').waitFor();
    expect(JSON.parse((await run('bash', ['-c', curl])).stdout)).to.include({ error: 'unauthorized' });
    expect(complaints).to.deep.equal([]);
  });

  it('checks 200 pasted URLs, updates the progress, and filters results', async function () {
    const account = await service.account(1000);
    const { page, complaints } = await openAs(this, service, account);
    await page.goto('/');
    const kinds = ['good', 'missing', 'soft', 'moved'];
    const urls = Array.from({ length: 196 }, (_, index) => `${site.url}/${kinds[index % 4]}?${index}`);
    const lines = [...urls, urls[0], urls[1], urls[2], 'https://10.0.0.1/shoes'];
    await page.getByLabel('What to check').fill(lines.join('\n'));
    const reading = page.locator('#reading');
    await reading.getByText('200 URLs, 3 duplicates, 1 invalid; costs 196 of your 1,000 credits').waitFor();
    await reading.getByText('1 invalid, skipped and not charged').click();
    await reading.getByText('Line 200').waitFor();
    await reading.getByText('its host is private, or its port is blocked').waitFor();

    await page.getByRole('button', { name: 'Check 196 URLs · 196 credits' }).waitFor();
    await page.getByLabel('What to check').press('Control+Enter');
    await page.waitForURL('**/batches/*');
    await page.getByText('196 of 196 checked').first().waitFor();
    await page.locator('#results tbody tr').nth(49).waitFor();
    await page.getByRole('link', { name: 'Dead 49' }).waitFor();
    await page.getByRole('link', { name: '4xx 49' }).click();
    await page.getByRole('heading', { name: '4xx 49' }).waitFor();
    expect(await page.getByText('404 Not Found').count()).to.equal(49);
    await page.getByRole('searchbox').fill('?5');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: '4xx 3' }).waitFor();
    expect(await shownUrls(page)).to.deep.equal([5, 53, 57].map((index) => `${site.url}/missing?${index}`));

    await page.getByRole('link', { name: 'Soft 404 49' }).first().click();
    await page.locator('#results summary').first().click();
    await page.getByText('The title says “not found”.').first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'All results as CSV' }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv.trim().split('\n')).to.have.length(198);
    expect(csv).to.contain(`${site.url}/missing?5`);
    expect(await service.credits(account.accountId)).to.equal(804);
    expect(complaints).to.deep.equal([]);
  });

  it('checks ranks, and shows the history of a repeated query', async function () {
    const account = await service.account(100);
    const { page, complaints } = await openAs(this, service, account);
    for (let round = 0; round < 2; round++) {
      await page.goto('/');
      await page.getByLabel('What to check').fill('running shoes\nleather bags');
      // The form selects the type that matches the list.
      await page.getByRole('button', { name: 'Check 2 keywords · 2 credits' }).waitFor();
      expect(await page.getByRole('radio', { name: 'Ranks' }).isChecked()).to.equal(true);
      if (round === 0) {
        await beginCheck(page, 'ranks');
        await page.getByRole('alert').getByText('Enter the site or page').waitFor();
      }
      await page.getByLabel('Site or page').fill('rank-7.example');
      await beginCheck(page, 'ranks');
      await page.getByText('2 of 2 checked').first().waitFor();
    }
    await page.getByText('Page 1, position 7.').first().waitFor();
    expect(await page.locator('td.found').first().innerText()).to.contain('https://rank-7.example/');
    await page.getByRole('link', { name: 'Ranks' }).click();
    await page.getByRole('link', { name: 'Rank checks over time' }).click();
    await page.getByRole('slider').waitFor();
    await page.getByText('As a table').click();
    expect(await page.locator('.values').getByRole('cell', { name: '#7', exact: true }).count()).to.equal(2);
    expect(complaints.filter((line) => !line.includes('422'))).to.deep.equal([]);
  });

  it('creates a monitor with two clicks, at the shown price, and runs it', async function () {
    const account = await service.account(100);
    const { page, complaints } = await openAs(this, service, account);
    await page.goto('/');
    await page.getByLabel('What to check').fill(`${site.url}/good\n${site.url}/missing`);
    const plan = page.locator('#plan', { hasText: 'checks 2 URLs' });
    expect(await plan.innerText()).to.contain('60 credits a month');
    await page.getByRole('button', { name: 'Check this every day' }).click();
    await page.getByRole('button', { name: 'Run now · 2 credits' }).click();
    await page.getByText('Run started.').waitFor();
    await service.quiet();
    await page.reload();
    await page.getByText('Last result: 1 dead').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('works without scripts: preview, check, filter, create a token, sign out', async function () {
    const account = await service.account(100);
    const { page, complaints } = await openAs(this, service, account, {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    await page.goto('/?sample=1');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('20 URLs; costs 20 of your 100 credits').waitFor();
    await beginCheck(page, 'index');
    await page.waitForURL('**/batches/*');
    await service.quiet();
    await page.reload();
    await page.getByRole('link', { name: /^Not indexed \d/ }).click();
    expect(await shownUrls(page))
      .to.include('https://not-indexed.example/draft')
      .and.not.include('https://indexed.example/about');
    await page.locator('summary', { hasText: 'Menu' }).click();
    await page.locator('.account').getByRole('link', { name: 'Tokens' }).click();
    await page.getByLabel('Token name').fill('plain');
    await page.getByRole('button', { name: 'Create token' }).click();
    expect(await page.locator('#token').innerText()).to.match(/^sonde_\w{36}$/);
    await page.locator('summary', { hasText: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(complaints.filter((line) => !line.includes('422'))).to.deep.equal([]);
  });
});

async function shownUrls(page: Page): Promise<string[]> {
  return page.locator('#results td.asked a').allInnerTexts();
}
