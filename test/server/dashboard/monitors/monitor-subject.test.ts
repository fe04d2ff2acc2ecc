import { expect } from 'chai';
import { sql } from 'kysely';
import * as ledger from '../../../../db/ledger/ledger.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { httpAnswer, rankAnswer, rankQuery } from '../../../support/answers.ts';
import { toText, useVisit, visit } from '../../../support/dashboard.ts';
import { type Monitored, monitored } from '../../../support/monitored.ts';
import { useAccount, useService } from '../../../support/service.ts';

const dayMs = 86_400_000;

describe('the page of a monitored URL or keyword', () => {
  const service = useService();
  const account = useAccount(service, 0);
  const browser = useVisit(service, account);

  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs - 60_000);
  const getPage = async ({ monitorId, subjects }: Pick<Monitored<'http'>, 'monitorId' | 'subjects'>) =>
    browser.open(`/monitors/${monitorId}/subjects/${subjects[0]?.subjectId}`);

  it('draws the rank with competitors, marks another landing page, and names a drop from #1', async () => {
    const rival = 'https://rival.example/';
    const query = { ...rankQuery(), full: true as const, competitor_urls: [rival] };
    const ranks = await monitored(service, account.accountId, 'keyword', [query], { confirmLosses: false });
    const beside = (rank: number | null) => ({ competitors: [{ url: rival, rank } as never] });
    await ranks.run(daysAgo(9), [rankAnswer(4, beside(2))]);
    await ranks.run(daysAgo(8), [rankAnswer(1, { ...beside(3), landing: 'https://example.com/sale' })]);
    await ranks.run(daysAgo(7), [rankAnswer(null, beside(3))]);
    const page = await getPage(ranks);
    const figure = page.querySelector('figure');
    expect(page.text).to.contain(
      'First #4, now not ranked, between #1 and #4, at times not ranked. Changed 2 times.',
    );
    const chart = figure?.querySelector('svg.wide-chart');
    expect(chart?.getAttribute('role')).to.equal('img');
    expect(chart?.querySelectorAll('.line .way')).to.have.length(2);
    expect(chart?.querySelectorAll('line.mark')).to.have.length(1);
    expect(figure?.querySelectorAll('.legend li').map(toText)).to.deep.equal([
      'example.com not ranked',
      'rival.example #3',
    ]);
    expect(toText(figure?.querySelector('.marks') ?? null)).to.contain(
      'Another page ranks: https://example.com/shoes → https://example.com/sale',
    );
    expect(toText(page.querySelector('.feed'))).to.contain('Rank #1 → none');
    const list = await browser.open(`/monitors/${ranks.monitorId}/subjects`);
    const ways = list.querySelectorAll('.sparkline path').map((way) => way.getAttribute('d'));
    // The chart spans at least five ranks. `not ranked` is at its bottom.
    expect(ways).to.have.length(1);
    expect(ways[0]).to.match(/ 12\.4L[\d.]+ 12\.4L[\d.]+ 4\.6L[\d.]+ 4\.6L[\d.]+ 19L[\d.]+ 19$/);
    const rows = page.querySelectorAll('details table tbody tr');
    const cells = rows.map((row) => row.querySelectorAll('td').slice(2).map(toText));
    expect(cells).to.deep.equal([
      ['not ranked', '#3'],
      ['#1', '#3'],
      ['#4', '#2'],
    ]);
  });

  it('interrupts the line of a competitor while it was not checked', async () => {
    const rival = 'https://rival.example/';
    const query = { ...rankQuery(), competitor_urls: [rival] };
    const ranks = await monitored(service, account.accountId, 'keyword', [query]);
    const beside = (rank: number) => ({ competitors: [{ url: rival, rank } as never] });
    await ranks.run(daysAgo(9), [rankAnswer(4, beside(2))]);
    await ranks.run(daysAgo(8), [rankAnswer(5)], { changed: [rankQuery()] });
    await ranks.run(daysAgo(7), [rankAnswer(4, beside(8))]);
    const page = await getPage(ranks);
    const lines = page.querySelectorAll('svg.wide-chart .way').map((way) => way.getAttribute('d') ?? '');
    expect(lines.map((line) => line.match(/M/g)?.length)).to.deep.equal([1, 2]);
    const cells = page.querySelectorAll('table.values tbody tr td:last-child').map(toText);
    expect(cells).to.deep.equal(['#8', 'not checked', '#2']);
  });

  it('interrupts the line of a keyword while it was not in the list', async () => {
    const queries = ['desk', 'bed'].map((keyword) => rankQuery({ keyword }));
    const ranks = await monitored(service, account.accountId, 'keyword', queries);
    for (const day of [9, 8]) await ranks.run(daysAgo(day), [rankAnswer(4), rankAnswer(1)]);
    for (const day of [7, 6, 5, 4, 3]) await ranks.run(daysAgo(day), [null, rankAnswer(1)]);
    await sql`update subjects set joined_at = ${daysAgo(2.5)} where account_id = ${account.accountId}
      and subject_id = ${ranks.subjects[0]?.subjectId}`.execute(service.db);
    for (const day of [2, 1]) await ranks.run(daysAgo(day), [rankAnswer(3), rankAnswer(1)]);
    const page = await getPage(ranks);
    const cells = page.querySelectorAll('table.values tbody tr td:last-child').map(toText);
    expect(cells).to.deep.equal(['#3', 'not checked', '#4']);
  });

  it('shows the best rank, the ranking page, and the results pages as they were', async () => {
    const buyer = await service.account(10);
    const visitor = await visit(service, buyer);
    const keyword = { keyword: 'running shoes', url: 'rank-4.example', competitors: ['result-2.example'] };
    const query = rankQuery({ target_url: 'rank-4.example', competitor_urls: keyword.competitors });
    const ranks = await monitored(service, buyer.accountId, 'keyword', [query], { confirmLosses: false });
    await ranks.run(daysAgo(2), [rankAnswer(6, { landing: 'https://rank-4.example/shoes' })]);
    const path = `/monitors/${ranks.monitorId}/subjects/${ranks.subjects[0]?.subjectId}`;
    const open = async (search = '') => visitor.open(path + search);
    const empty = await open();
    expect(toText(empty.querySelector('h1'))).to.equal('running shoes');
    expect(toText(empty.querySelector('.tabs [aria-current]'))).to.equal('Ranks');
    expect(toText(empty.querySelector('.card')))
      .to.contain('best #6')
      .and.contain('https://rank-4.example/shoes');
    expect(empty.querySelector('a[href="/ranks/rank-4.example"]')).not.to.equal(null);
    const missing = empty.querySelector('#results');
    expect(toText(missing)).to.contain('No results page is stored.').and.not.to.contain('include');
    expect(missing?.classList.contains('screen-only')).to.equal(true);
    // The same query, checked twice with its results.
    for (const _ of [1, 2]) {
      const body = { queries: [{ ...keyword, include: ['results'] }] };
      const { status } = await service.call('/keyword-track', { token: buyer.token, body });
      expect(status).to.equal(200);
    }
    const page = await open();
    const rows = page.querySelectorAll('.serp li');
    expect(rows.length).to.be.at.least(4);
    expect(toText(rows[3] ?? null)).to.match(/^#4 .*This site/);
    expect(page.querySelectorAll('.serp .own')).to.have.length(1);
    const older = page.querySelector('#results .pager a');
    expect(toText(older)).to.equal('Older');
    const before = await open(older?.getAttribute('href')?.replace(path, '').replace('#results', '') ?? '');
    expect(toText(before.querySelector('#results .pager a'))).to.equal('Newer');
    // Results of other accounts are not shown.
    const stranger = await monitored(service, account.accountId, 'keyword', [query]);
    expect(toText((await getPage(stranger as never)).querySelector('#results'))).to.contain(
      'No results page',
    );
  });

  it('draws the outcomes of a URL as a stacked bar, and dates an answer that is not from the last run', async () => {
    const pages = await monitored(service, account.accountId, 'http', [
      { url: 'https://example.com/shoes' },
      { url: 'https://example.com/bags' },
    ]);
    await pages.run(daysAgo(3), [httpAnswer(), httpAnswer()]);
    await pages.run(daysAgo(2), [httpAnswer({ status: 404 }), httpAnswer()]);
    const before = await getPage(pages);
    expect(before.querySelectorAll('[aria-current]').map(toText)).to.deep.equal(['Monitors', 'URLs']);
    expect(
      before.querySelectorAll('svg.wide-chart rect').map((part) => part.getAttribute('class')),
    ).to.deep.equal(['tone-good', 'tone-bad']);
    expect(toText(before.querySelector('figcaption'))).to.equal('First 200, now 404. Changed once.');
    expect(toText(before.querySelector('.figures'))).to.equal('404');
    const feed = before.querySelector('.feed');
    expect(feed?.querySelector('.dot')?.getAttribute('class')).to.equal('dot tone-bad');
    expect(toText(feed)).to.contain('Status 200 → 404').and.not.to.contain('example.com');
    await pages.run(daysAgo(1), [null, httpAnswer()]);
    const page = await getPage(pages);
    expect(toText(page.querySelector('.figures'))).to.match(/^404 checked .* UTC$/);
    expect(toText(page.querySelector('.notice'))).to.contain('has answers for 1 of 2 URLs.');
  });

  it('offers a button that checks again for a URL, but not for a keyword', async () => {
    const url = 'https://example.com/a?b=1&c=%20d';
    const pages = await monitored(service, account.accountId, 'http', [{ url }]);
    const page = await getPage(pages);
    const form = page.querySelectorAll('form').find((one) => one.querySelector('[name=text]'));
    expect(form?.querySelectorAll('button').map(toText)).to.deep.equal([
      'Check HTTP status · 1 credit',
      'Check Google index · 1 credit',
    ]);
    const getField = (name: string) => form?.querySelector(`[name=${name}]`)?.getAttribute('value') ?? '';
    const fields = { text: getField('text'), once: getField('once'), check: getField('check') };
    await inTransaction(service.db, (trx) => ledger.grant(trx, account.accountId, 1, null));
    const from = `/monitors/${pages.monitorId}/subjects/${pages.subjects[0]?.subjectId}`;
    const { location } = await browser.post(form?.getAttribute('action') ?? '', fields, { from });
    expect(location).to.match(/^\/batches\//);
    const { rows } = await sql<{ inputs: object }>`
      select inputs from chunks where batch_id = ${location.split('/')[2]}`.execute(service.db);
    expect(JSON.stringify(rows)).to.contain(url);
    const history = page.querySelector('a[href^="/address"]')?.getAttribute('href') ?? '';
    expect((await browser.get(history)).text).to.contain(url.replace('&', '&amp;'));
    const ranks = await getPage(await monitored(service, account.accountId, 'keyword', [rankQuery()]));
    expect(ranks.querySelector('form [name=text][type=hidden]')).to.equal(null);
    const setRole = (role: string) =>
      sql`update memberships set role = ${role} where account_id = ${account.accountId}`.execute(service.db);
    await setRole('viewer');
    const seen = await getPage(pages).finally(() => setRole('owner'));
    expect(seen.text)
      .to.contain('URL history')
      .and.not.to.match(/Check HTTP|single check/);
  });

  it('shows annotations in every chart, and adds one only once if its form is sent twice', async () => {
    const pages = await monitored(service, account.accountId, 'http', [{ url: 'https://example.com/shoes' }]);
    await pages.run(daysAgo(3), [httpAnswer()]);
    await pages.run(daysAgo(1), [httpAnswer()]);
    const path = `/monitors/${pages.monitorId}`;
    const subject = String(pages.subjects[0]?.subjectId);
    const at = daysAgo(2).toISOString().slice(0, 10);
    const note = { at, text: 'New <b>template</b>', once: 'n', subject };
    for (const _ of [1, 2]) {
      const { location } = await browser.post(`${path}/annotations`, note);
      expect(location).to.equal(`${path}/subjects/${subject}#notes`);
    }
    await browser.post(`${path}/annotations`, { text: ' ', once: 'm' });
    for (const page of [await getPage(pages), await browser.open(path)]) {
      expect(page.querySelectorAll('svg.wide-chart line.mark')).to.have.length(1);
      expect(toText(page.querySelector('.marks'))).to.contain('New <b>template</b>');
      expect(page.querySelectorAll('.notes li')).to.have.length(1);
    }
    const form = (await getPage(pages)).querySelector('.notes form');
    await browser.post(form?.getAttribute('action') ?? '', { subject });
    expect((await getPage(pages)).querySelectorAll('.notes li')).to.have.length(0);
  });

  it('says that there is no data before the first run has ended', async () => {
    const page = await getPage(
      await monitored(service, account.accountId, 'http', [{ url: 'https://example.com/' }]),
    );
    expect(page.querySelector('figure')).to.equal(null);
    expect(page.text).to.contain('No answer yet').and.contain('The next run is on');
  });
});
