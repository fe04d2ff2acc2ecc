import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { httpAnswer, rankAnswer, rankQuery } from '../../support/answers.ts';
import { openAs } from '../../support/dashboard.ts';
import { monitored } from '../../support/monitored.ts';
import { useAccount, useService } from '../../support/service.ts';

describe('the layout of the dashboard', () => {
  const service = useService();
  const account = useAccount(service, 1_234_567);
  let path: string;
  let monitorPath: string;

  before(async () => {
    const urls = ['a', 'b', 'c', 'd'].map((name) => ({ url: `https://shop.example/${name}` }));
    const monitor = await monitored(service, account.accountId, 'http', urls);
    const statuses = [200, 404, 500, 0];
    const answers = statuses.map((status) => httpAnswer({ status }));
    const { batchIds } = await monitor.run(new Date(), answers);
    monitorPath = `/monitors/${monitor.monitorId}`;
    path = `/batches/${batchIds[0]}`;
  });

  async function openAt(width: number, test: Mocha.Context): Promise<Page> {
    const { page } = await openAs(test, service, account, { viewport: { width, height: 900 } });
    await page.goto(path);
    return page;
  }

  it('has a header of one row on a phone, with everything in it', async function () {
    const page = await openAt(390, this);
    const bounds = await page.locator('.top').boundingBox();
    expect(bounds?.height).to.be.below(64);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    expect(await page.locator('.balance').innerText()).to.contain('1,234,567');
    await page.locator('summary', { hasText: 'Menu' }).click();
    for (const name of ['Tokens', 'Webhooks', 'Guide', 'Members', 'Settings'])
      expect(await page.locator('.sheet').getByRole('link', { name }).isVisible()).to.equal(true);
  });

  it('shows all tabs on narrow phones, and the current one where they scroll', async function () {
    const page = await openAt(390, this);
    const isInside = (name: string) =>
      page.evaluate<boolean>(`(() => {
        const tabs = document.querySelector('.tabs').getBoundingClientRect();
        const tab = [...document.querySelectorAll('.tabs a')].find((one) => one.textContent === '${name}');
        const { left, right } = tab.getBoundingClientRect();
        return left >= tabs.left - 1 && right <= tabs.right + 1;
      })()`);
    for (const width of [390, 375, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['Check', 'Batches', 'Monitors', 'Ranks'])
        expect(await isInside(name), `${name} at ${width}`).to.equal(true);
    }
    await page.setViewportSize({ width: 280, height: 800 });
    for (const [name, href] of [
      ['Check', '/'],
      ['Ranks', '/ranks'],
    ] as const) {
      await page.goto(href);
      expect(await isInside(name), name).to.equal(true);
    }
  });

  it('keeps the tabs of a monitor in their place', async function () {
    const page = await openAt(1440, this);
    const places: Array<number | undefined> = [];
    for (const tab of ['', '/changes', '/runs', '/subjects']) {
      await page.goto(monitorPath + tab);
      places.push((await page.locator('nav[aria-label=Monitor]').boundingBox())?.x);
    }
    expect(new Set(places).size, String(places)).to.equal(1);
  });

  it('prints all columns of a site, how many of its keywords are shown, and compact reports', async function () {
    const named = ['hub.example', 'long-name-of-a-rival.example', 'third.example', 'fourth.example'];
    const rivals = [...named, ...Array.from({ length: 6 }, (_, place) => `rival-${place}.example`)];
    let batchId: string | undefined;
    const page = await openAt(680, this);
    await page.emulateMedia({ media: 'print' });
    // The width of A4 without its margins. More than three competitors are printed in landscape.
    for (const [count, width] of [
      [10, 1009],
      [3, 680],
    ] as const) {
      await page.setViewportSize({ width, height: 1000 });
      const site = `shop-${count}.example`;
      const target = {
        target_url: site,
        competitor_urls: rivals.slice(0, count),
        full: true as const,
        include: ['ai_overview' as const],
      };
      const inputs = Array.from({ length: 60 }, (_, place) =>
        rankQuery({ ...target, keyword: `shoes ${place}` }),
      );
      const ranks = await monitored(service, account.accountId, 'keyword', inputs);
      const competitors = target.competitor_urls.map((url, place) => ({
        url,
        rank: place + 7,
        ranked_url: null,
      }));
      const { batchIds } = await ranks.run(
        new Date(),
        inputs.map((_, place) =>
          rankAnswer(place + 1, { landing: `https://${site}/page/${place}`, competitors }),
        ),
      );
      [batchId] = batchIds;
      await page.goto(`/ranks/${site}`);
      expect(await page.locator('.pager').innerText()).to.match(/^\s*1–50 of 60\s*$/);
      expect(await page.locator('th.rival:visible').allInnerTexts()).to.deep.equal(target.competitor_urls);
      const paper = await page.locator('.scroll', { has: page.locator('.tracked') }).evaluate((one) => {
        // @ts-expect-error: the types of the DOM are not loaded.
        return getComputedStyle(one).page;
      });
      expect(paper).to.equal(count > 3 ? 'wide' : 'auto');
      const table = await page.locator('.tracked').boundingBox();
      expect((table?.x ?? 0) + (table?.width ?? 0)).to.be.at.most(width + 1);
      expect((await page.locator('.tracked thead').boundingBox())?.height).to.be.below(count > 3 ? 100 : 60);
    }
    await page.goto(`/batches/${batchId}/report`);
    const row = page.locator('tbody tr').first();
    const sizes = await row.evaluate((one) =>
      ['.asked', '.asked .small'].map((part) => {
        // @ts-expect-error: the types of the DOM are not loaded.
        return Number.parseFloat(getComputedStyle(one.querySelector(part)).fontSize);
      }),
    );
    expect(sizes[1]).to.be.below(sizes[0] ?? 0);
    expect((await row.boundingBox())?.height).to.be.below(60);
  });

  it('gives tables the width of a large window', async function () {
    const page = await openAt(1440, this);
    const bounds = await page.locator('table.results').boundingBox();
    expect(bounds?.width).to.be.above(1_350);
  });

  it('has the same colour for dead pages in dots, labels and bars', async function () {
    const page = await openAt(1440, this);
    const tones = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => one.getAttribute('class') ?? ''));
    expect(await tones('.progress rect:not(.track)')).to.deep.equal([
      'tone-good',
      'tone-bad',
      'tone-bad',
      'tone-bad',
    ]);
    const labels = await tones('table.results .pill');
    expect(labels.filter((tone) => tone.includes('tone-bad'))).to.have.length(3);
    const dots = page.locator('.count', { hasText: /4xx|5xx|Unreachable/ });
    expect(await dots.evaluateAll((all) => all.every((one) => one.matches('.tone-bad')))).to.equal(true);
  });

  it('shows the whole key of an authenticator app on a phone, with a button to copy it', async function () {
    const other = await service.account(0);
    await service.confirmedUser(other.accountId, 'phone@example.com');
    const { page } = await openAs(this, service, other, { viewport: { width: 390, height: 900 } });
    await page.goto('/settings/second-factor');
    await page.getByText('Add…').click();
    await page.getByRole('button', { name: 'Add app' }).click();
    const key = page.locator('.code pre');
    await key.waitFor({ state: 'attached' });
    const { width, height } = (await key.boundingBox()) ?? { width: 0, height: 0 };
    expect(width).to.be.above(150);
    // A key with one letter per line would be present, but unreadable.
    expect(height).to.be.within(12, 90);
    expect(await page.getByRole('button', { name: 'Copy key' }).isVisible()).to.equal(true);
  });
});
