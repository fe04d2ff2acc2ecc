import { expect } from 'chai';
import { sql } from 'kysely';
import type { HTMLElement } from 'node-html-parser';
import * as tokens from '../../../../db/accounts/tokens.ts';
import { rankAnswer, rankQuery } from '../../../support/answers.ts';
import { toText, useVisit, visit } from '../../../support/dashboard.ts';
import { monitored } from '../../../support/monitored.ts';
import { useAccount, useService } from '../../../support/service.ts';

describe('the results page of a rank check', () => {
  const service = useService({}, { worker: true });
  const query = {
    keyword: 'overview-shown boots',
    url: 'rank-2.example',
    competitors: ['rank-3.example'],
    include: ['results', 'features', 'ai_overview'],
  };
  const account = useAccount(service, 100);
  const browser = useVisit(service, account);

  const call = (queries: object[]) =>
    service.call('/keyword-track', { token: account.token, body: { queries } });
  const open = (path: string) => browser.open(path);
  const findLink = (page: HTMLElement) =>
    page.querySelector('a[href^="/checks/"]')?.getAttribute('href') ?? '';
  const toRows = (page: HTMLElement, list: number) =>
    page.querySelectorAll('.serp')[list]?.querySelectorAll('li').map(toText).slice(0, 3);

  function expectPage(page: HTMLElement): void {
    expect(toText(page.querySelector('.overview'))).to.contain(
      'The AI Overview cites https://rank-2.example/ as source 2.',
    );
    expect(toText(page.querySelector('.overview blockquote'))).to.equal('A simulated overview.');
    const rows = [
      '#1 Simulated result 1 https://rank-1.example/',
      '#2 Simulated result 2 This site https://rank-2.example/',
      '#3 Simulated result 3 Competitor https://rank-3.example/',
    ];
    const toParts = (list: number) =>
      toRows(page, list)?.map((row) => row.replace(/rank-\d\.example · /, ''));
    expect([toParts(0), toParts(1)]).to.deep.equal([rows, rows]);
    expect(page.querySelectorAll('.own')).to.have.length(2);
    expect(toText(page.querySelector('#results'))).to.contain('On the page: AI Overview (with the target)');
  }

  it('shows the overview and the results of a single check, with the target marked', async () => {
    await call([query]);
    const page = await open(findLink(await open('/batches/singles')));
    expectPage(page);
    expect(toText(page.querySelector('h1'))).to.equal('overview-shown boots');
    expect(toText(page.querySelector('section.card')))
      .to.match(/^#2 https:\/\/rank-2\.example\//)
      .and.contain('Competitors: rank-3.example #3.');
    expect(page.querySelector('.tabs [aria-current]')?.text).to.equal('Batches');
  });

  it('is linked from the items of batches and tests whose queries asked for it', async () => {
    const queries = [query, { keyword: 'shoes', url: 'rank-2.example' }];
    const id = await service.runBatch(account.token, '/keyword-track', { queries });
    const batch = await open(`/batches/${id}`);
    expect(batch.querySelectorAll('a[href^="/checks/"]')).to.have.length(1);
    const page = await open(findLink(batch));
    expectPage(page);
    expect(page.querySelector(`a[href="/batches/${id}"]`)).not.to.equal(null);
    const token = await tokens.issue(service.db, account.accountId, 'trial', { isTest: true });
    const tests = [query, { ...query, keyword: 'overview-shown hats' }];
    const testId = await service.runBatch(token, '/keyword-track', { queries: tests });
    expectPage(await open(findLink(await open(`/batches/${testId}`))));
  });

  it('is on the page of the keyword, also without organic results', async () => {
    const input = { keyword: 'overview-shown caps', target_url: 'rank-2.example', end_page: 2 };
    const monitor = await monitored(service, account.accountId, 'keyword', [rankQuery(input)]);
    await monitor.run(new Date(), [rankAnswer(2)]);
    await call(
      [{ ...query, ...input, end_page: 2, include: ['ai_overview'] }].map(({ target_url: _, ...one }) => one),
    );
    const page = await open(`/monitors/${monitor.monitorId}/subjects/${monitor.subjects[0]?.subjectId}`);
    expect(toText(page.querySelector('.overview .own'))).to.contain('#2 Simulated result 2 This site');
    expect(toText(page.querySelector('#results'))).to.contain('No organic results are stored.');
  });

  it('says what is missing: no overview, no contents any more, and no such check', async () => {
    await call([{ ...query, keyword: 'boots' }]);
    const none = await open(findLink(await open('/batches/singles')));
    expect(toText(none.querySelector('.overview'))).to.equal('AI Overview Google shows no AI Overview.');
    await call([query]);
    const path = findLink(await open('/batches/singles'));
    await sql`delete from result_pages where request_id = ${path.split('/')[2]}`.execute(service.db);
    const deleted = await open(path);
    expect(toText(deleted.querySelector('.overview'))).to.contain(
      'Its text and its sources are no longer stored.',
    );
    expect(toText(deleted.querySelector('#results'))).to.contain('No organic results are stored.');
    const stranger = await visit(service, await service.account(0));
    for (const answer of [
      await stranger.get(path),
      await browser.get('/checks/x'),
      await browser.get('/checks/1'),
    ])
      expect([answer.status, answer.text.includes('rank-2')]).to.deep.equal([404, false]);
  });
});
