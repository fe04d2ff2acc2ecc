import { expect } from 'chai';
import { sql } from 'kysely';
import { day, moment } from '../../../server/dashboard/format.ts';
import { httpAnswer, rankAnswer, rankQuery } from '../../support/answers.ts';
import { openAs, visit } from '../../support/dashboard.ts';
import { monitored } from '../../support/monitored.ts';
import { useAccount, useService } from '../../support/service.ts';

const dayMs = 86_400_000;
const texts = /\d{1,2} \p{L}{3,4} \d{4}, \d\d:\d\d (\S+)/gu;

describe('times of the dashboard', () => {
  const service = useService();
  const account = useAccount(service, 100);
  let paths: string[];
  let ranksPath: string;
  const began = new Date(Date.now() - 9 * dayMs);
  // At this time in UTC, the next day has begun in Kathmandu.
  began.setUTCHours(23, 30, 0, 0);

  before(async () => {
    const ranks = await monitored(service, account.accountId, 'keyword', [rankQuery()]);
    const pages = await monitored(service, account.accountId, 'http', [{ url: 'https://example.com/' }]);
    for (const [place, rank] of [4, 2, 1].entries()) {
      const at = new Date(began.getTime() + place * dayMs);
      await ranks.run(at, [rankAnswer(rank)]);
      await pages.run(at, [httpAnswer(rank === 2 ? { status: 404 } : {})]);
    }
    await service.call('/keyword-track', { token: account.token, body: { keyword: 'a', url: 'b.example' } });
    const of = ({ monitorId, subjects }: typeof pages | typeof ranks) => [
      `/monitors/${monitorId}`,
      `/monitors/${monitorId}/subjects/${subjects[0]?.subjectId}`,
    ];
    ranksPath = of(ranks)[1] ?? '';
    paths = [...of(ranks), ...of(pages), '/credits', '/settings', '/batches', '/monitors', '/members'];
  });

  it('have one format with a time zone, and a short one for days', () => {
    const at = new Date('2026-11-23T05:12:59Z');
    expect(moment(at)).to.equal('23 Nov 2026, 05:12 UTC');
    expect(moment(at, 'Europe/Berlin')).to.equal('23 Nov 2026, 06:12 CET');
    expect(moment(new Date('2026-01-02T00:05Z'))).to.equal('2 Jan 2026, 00:05 UTC');
    expect(day(at)).to.equal('23 Nov 2026');
  });

  it('are always in UTC without scripts', async () => {
    const browser = await visit(service, account);
    let times = 0;
    for (const path of paths) {
      const page = await browser.open(path);
      expect(page.text.match(/\d{4}-\d\d-\d\d/g), path).to.equal(null);
      for (const [whole, zone] of page.text.matchAll(texts)) {
        times += 1;
        expect(zone, `${whole} on ${path}`).to.match(/^UTC/);
      }
    }
    expect(times).to.be.above(20);
  });

  it('use the time zone of the reader with scripts, also in charts', async function () {
    const { page, complaints } = await openAs(this, service, account, {
      locale: 'en-US',
      timezoneId: 'Asia/Kathmandu',
    });
    let times = 0;
    for (const path of paths) {
      await page.goto(path);
      const text = String(await page.evaluate('document.querySelector("main").textContent'));
      for (const [whole, zone] of text.matchAll(texts)) {
        times += 1;
        // The next run is shown in the time zone of its schedule.
        if (!text.includes(`Next run ${whole}`) && path !== '/monitors')
          expect(zone, `${whole} on ${path}`).to.match(/^GMT\+5:45/);
      }
      const shown = (await page.evaluate(`[...document.querySelectorAll('time')].map((one) =>
        one.hasAttribute('data-relative') ? one.title : one.textContent)`)) as string[];
      for (const one of shown) expect(one, path).to.match(/^\d{1,2} \p{L}{3,4} \d{4}, \d\d:\d\d GMT\+5:45$/u);
    }
    expect(times).to.be.above(20);
    await sql`update batches set created_at = ${began} where batch_id = (select batch_id from batches limit 1)`.execute(
      service.db,
    );
    await page.goto('/batches');
    const inList = (await page.locator('time[data-relative]').allTextContents()) as string[];
    expect(inList.filter((text) => !/ago|now/.test(text))).to.deep.equal([
      day(new Date(began.getTime() + 6 * 3_600_000)),
    ]);
    await page.goto(ranksPath);
    const first = await page.locator('svg.wide-chart text[data-day]').first().textContent();
    expect(first).to.equal(day(new Date(began.getTime() + 6 * 3_600_000)));
    expect(complaints).to.deep.equal([]);
  });

  it('show a note for a day as this day in every time zone', async function () {
    const forms = await visit(service, account);
    const at = new Date(began.getTime() + dayMs).toISOString().slice(0, 10);
    const shown = `${day(new Date(at))} Relaunch`;
    for (const path of paths.slice(0, 4)) {
      const [, monitor = ''] = /^(\/monitors\/[\w-]+)$/.exec(path) ?? [];
      if (monitor)
        await forms.post(`${monitor}/annotations`, { at, text: 'Relaunch', once: 'r' }, { from: monitor });
    }
    for (const timezoneId of ['America/New_York', 'Asia/Tokyo']) {
      const { page } = await openAs(this, service, account, { timezoneId });
      for (const path of paths.slice(0, 4)) {
        await page.goto(path);
        const [inChart, inList] = [
          page.locator('.marks li', { hasText: 'Relaunch' }),
          page.locator('.notes li > span'),
        ];
        for (const one of [inChart, inList])
          expect(await one.first().innerText(), `${path} ${timezoneId}`).to.equal(shown);
      }
    }
  });
});
