import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { parse as parseHtml } from 'node-html-parser';
import readWorkbook from 'read-excel-file/node';
import { listKeywords } from '../../../db/monitors/rank-sites.ts';
import type { AiOverview } from '../../../schemas/features.ts';
import { httpAnswer, rankAnswer, rankQuery } from '../../support/answers.ts';
import { visit } from '../../support/dashboard.ts';
import { monitored } from '../../support/monitored.ts';
import { useAccount, useService } from '../../support/service.ts';

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const daysAgo = (days: number) => new Date(today - days * dayMs);
const iso = (at: Date) => `${at.toISOString().slice(0, 19)}+00:00`;

describe('exports of a monitor', () => {
  const service = useService();
  const account = useAccount(service);
  let ranks: string;
  let pages: string;

  before(async () => {
    const queries = [
      rankQuery({ keyword: 'shoes', tag: 'brand', competitor_urls: ['b.example', 'c.example'] }),
      rankQuery({ keyword: 'boots', device: 'mobile', competitor_urls: ['d.example'] }),
    ];
    const monitor = await monitored(service, account.accountId, 'keyword', queries, { confirmLosses: false });
    ranks = monitor.monitorId;
    const answer = (rank: number | null, competitors: Record<string, number | null>) =>
      rankAnswer(rank, {
        competitors: Object.entries(competitors).map(([url, one]) => ({ url, rank: one, ranked_url: null })),
      });
    const shoes = (rank: number, b: number | null) => answer(rank, { 'b.example': b, 'c.example': 40 });
    await monitor.run(daysAgo(8), [shoes(5, 3), answer(null, { 'd.example': 2 })]);
    await monitor.run(daysAgo(7), [shoes(5, 3), null]);
    await monitor.run(daysAgo(0), [shoes(1, null), answer(15, { 'd.example': 2 })]);
    const http = await monitored(service, account.accountId, 'http', [{ url: 'https://example.com/a' }]);
    pages = http.monitorId;
    await http.run(daysAgo(1), [httpAnswer()]);
    await http.run(daysAgo(0), [httpAnswer({ status: 404, soft404_checked: false })]);
  });

  const call = (path: string, token = account.token) => service.call(`/monitors/${path}`, { token });

  async function readRows(path: string): Promise<Record<string, string>[]> {
    const { status, text } = await call(path);
    expect(status, text).to.equal(200);
    return parse(text, { columns: true });
  }

  async function readSheet(path: string): Promise<Record<string, unknown>[]> {
    const res = await fetch(`${service.baseUrl}/api/v1/monitors/${path}`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const [sheet] = await readWorkbook(Buffer.from(await res.arrayBuffer()));
    const [names, ...rows] = sheet?.data ?? [];
    return rows.map((row) => Object.fromEntries(names?.map((name, place) => [name, row[place]]) ?? []));
  }

  it('list the subjects with latest ranks, differences and a column per competitor', async () => {
    const [shoes, boots, ...others] = await readSheet(`${ranks}/subjects.xlsx`);
    expect(others).to.deep.equal([]);
    expect(shoes).to.deep.include({
      ...{ keyword: 'shoes', device: 'desktop', tag: 'brand', rank: 1, best_rank: 1 },
      ranked_url: 'https://example.com/shoes',
      ...{ rank_day_7: 5, places_gained_day_7: 4, rank_day_30: null, places_gained_day_30: null },
      ...{ 'b.example': 'not_ranked', 'c.example': 40, 'd.example': null },
      checked_at: daysAgo(0),
    });
    expect(boots).to.deep.include({
      ...{ keyword: 'boots', rank: 15, rank_day_7: 'not_ranked', places_gained_day_7: null },
      ...{ 'b.example': null, 'd.example': 2 },
    });
    expect(boots).to.include({ ranked_url: 'https://example.com/shoes' });
    const some = await readRows(`${ranks}/subjects.csv?device=mobile`);
    expect(some.map(({ keyword, rank }) => [keyword, rank])).to.deep.equal([['boots', '15']]);
    expect(await readRows(`${ranks}/subjects.csv?q=sho`)).to.have.length(1);
  });

  it('have the page of the last answer, also if no change was reported', async () => {
    const monitor = await monitored(service, account.accountId, 'keyword', [rankQuery({ keyword: 'socks' })]);
    const { monitorId, subjects } = monitor;
    const findPages = async () => {
      const site = { monitorIds: [monitorId], targets: ['example.com'], from: daysAgo(9), limit: 1 };
      const [row] = await readRows(`${monitorId}/subjects.csv`);
      const [keyword] = await listKeywords(service.db, account.accountId, site);
      return [row?.ranked_url, keyword?.rankedUrl ?? ''];
    };
    await monitor.run(daysAgo(4), [rankAnswer(null, { pages: 3, results: 30 })]);
    await monitor.run(daysAgo(3), [rankAnswer(38, { landing: 'https://example.com/socks' })]);
    expect(await findPages()).to.deep.equal(Array(2).fill('https://example.com/socks'));
    // A drop of ten places or more is not reported before it is confirmed.
    await monitor.run(daysAgo(2), [rankAnswer(60, { landing: 'https://example.com/wool' })]);
    expect(await findPages()).to.deep.equal(Array(2).fill('https://example.com/wool'));
    const browser = await visit(service, account);
    const { text } = await browser.get(`/monitors/${monitorId}/subjects/${subjects[0]?.subjectId}`);
    expect(text).to.contain('https://example.com/wool');
    await monitor.run(daysAgo(1), [rankAnswer(null, { pages: 3, results: 30 })]);
    expect(await findPages()).to.deep.equal(['', '']);
  });

  it('list the history of ranks, one row per period', async () => {
    const rows = await readRows(`${ranks}/points.csv`);
    expect(rows.map((row) => [row.keyword, row.from, row.until, row.rank, row['b.example']])).to.deep.equal([
      ['shoes', iso(daysAgo(8)), iso(daysAgo(7)), '5', '3'],
      ['shoes', iso(daysAgo(0)), iso(daysAgo(0)), '1', 'not_ranked'],
      ['boots', iso(daysAgo(8)), iso(daysAgo(8)), 'not_ranked', ''],
      ['boots', iso(daysAgo(0)), iso(daysAgo(0)), '15', ''],
    ]);
    const recent = await readRows(`${ranks}/points.csv?tag=brand&from=${daysAgo(3).toISOString()}`);
    expect(recent.map(({ rank }) => rank)).to.deep.equal(['1']);
    expect((await readSheet(`${pages}/points.xlsx`)).map(({ url, status }) => [url, status])).to.deep.equal([
      ['https://example.com/a', 200],
      ['https://example.com/a', 404],
    ]);
  });

  it('list the changes with both answers', async () => {
    const rows = await readSheet(`${ranks}/changes.xlsx`);
    expect(rows.map((row) => [row.kind, row.keyword, row.rank_before, row.rank_after])).to.deep.equal([
      ['ranked', 'boots', 'not_ranked', 15],
      ['rank_up', 'shoes', 5, 1],
    ]);
    expect(rows[0]?.at).to.be.instanceOf(Date);
    const [change] = await readRows(`${pages}/changes.csv?kind=status_changed`);
    expect(change).to.include({ url: 'https://example.com/a', status_before: '200', status_after: '404' });
  });

  it('name the location of queries, and what changed in the AI Overview', async () => {
    const location = 'Austin, Texas, United States';
    const query = rankQuery({ location, include: ['features', 'ai_overview'] });
    const { monitorId, run } = await monitored(service, account.accountId, 'keyword', [query]);
    const answer = (state: AiOverview['state'], cited: boolean | null) => ({
      ...rankAnswer(3),
      ai_overview: { state, cited, cited_url: cited ? 'https://a.example/' : null, citation: null },
    });
    await run(daysAgo(5), [answer('unknown', null)]);
    await run(daysAgo(4), [answer('not_shown', null)]);
    await run(daysAgo(3), [answer('unread', null)]);
    await run(daysAgo(2), [answer('shown', false)]);
    await run(daysAgo(1), [answer('shown', true)]);
    await run(daysAgo(0), [answer('shown', true)]);
    for (const kind of ['subjects', 'points', 'changes']) {
      const [row] = await readRows(`${monitorId}/${kind}.csv`);
      expect(Object.keys(row ?? {}).slice(kind === 'changes' ? 2 : 0)[4], kind).to.equal('location');
      expect(row, kind).to.include({ location });
    }
    const periods = await readRows(`${monitorId}/points.csv`);
    expect(periods.map((row) => [row.rank, row.ai_overview, row.ai_cited])).to.deep.equal([
      ['3', '', ''],
      ['3', 'not_shown', ''],
      ['3', 'shown', ''],
      ['3', 'shown', 'false'],
      ['3', 'shown', 'true'],
    ]);
    expect((await readSheet(`${monitorId}/subjects.xlsx`))[0]).to.include({
      ai_overview: 'shown',
      ai_cited: true,
    });
    const { body } = await call(`${monitorId}/subjects`);
    expect(body.data[0].latest).to.include({ rank: 3, ai_overview: 'shown', ai_cited: true });
    expect(body.data[0].points[0]).to.not.have.any.keys('ai_overview', 'ai_cited');
    const [change] = await readRows(`${monitorId}/changes.csv?kind=ai_cited`);
    expect(change).to.include({ kind: 'ai_cited', ai_cited_before: 'false', ai_cited_after: 'true' });
    expect(change).to.include({ ai_cited_url_before: '', ai_cited_url_after: 'https://a.example/' });
    const [without] = await readRows(`${ranks}/subjects.csv`);
    expect(without).to.include({ location: '' });
  });

  it('are on the dashboard too, with a byte order mark and separators of a language', async () => {
    const browser = await visit(service, account);
    const page = (await browser.get(`/monitors/${ranks}/subjects?tag=brand`)).text;
    expect(page).to.contain(`href="/monitors/${ranks}/subjects.csv?tag=brand"`);
    expect(page).to.contain(`href="/monitors/${ranks}/points.xlsx?tag=brand"`);
    expect((await browser.get(`/monitors/${ranks}/changes`)).text).to.contain(
      `href="/monitors/${ranks}/changes.xlsx"`,
    );
    const site = parseHtml((await browser.get('/ranks')).text)
      .querySelector('table a')
      ?.getAttribute('href');
    const { text } = await browser.get(`${site}?tag=brand`);
    expect(text).to.contain(`href="${site}/points.csv?tag=brand"`);
    const keyword = parseHtml(text).querySelector('.tracked a')?.getAttribute('href') ?? '';
    const id = keyword.split('/').at(-1);
    expect((await browser.get(keyword)).text).to.contain(
      `href="/monitors/${ranks}/points.xlsx?subject_id=${id}"`,
    );
    const res = await browser.get(`/monitors/${ranks}/points.csv?locale=de`);
    expect(res.headers.get('content-disposition')).to.match(/filename=sonde-shop-points-[\d-]{10}\.csv/);
    const rows: Record<string, string>[] = parse(res.text, { columns: true, delimiter: ';', bom: true });
    expect(rows[0]).to.include({
      keyword: 'shoes',
      from: daysAgo(8).toISOString().slice(0, 19).replace('T', ' '),
    });
  });
});

describe('the export of ranks and verdicts', () => {
  const service = useService({}, { worker: true });

  it('has one row per check, with a column per competitor', async () => {
    const account = await service.account(10);
    const call = (path: string, body?: object) => service.call(path, { token: account.token, body });
    const query = (keyword: string, competitors?: string[]) => ({
      keyword,
      url: 'rank-7.example',
      competitors,
    });
    const { batch_id: id } = (
      await call('/keyword-track', {
        queries: [query('shoes', ['rank-3.example', 'nobody.example']), query('hats')],
      })
    ).body;
    await service.ended(account.token, id);
    await call('/check', { url: 'https://indexed.example/' });
    const rows: Record<string, string>[] = parse((await call('/history.csv?type=keyword')).text, {
      columns: true,
    });
    const found = rows.map((row) => [row.keyword, row.rank, row['rank-3.example'], row['nobody.example']]);
    expect(found).to.have.deep.members([
      ['shoes', '7', '3', 'not_searched'],
      ['hats', '7', '', ''],
    ]);
    expect(parse((await call('/history.csv?type=keyword&q=hat')).text)).to.have.length(2);
    const [verdict]: Record<string, string>[] = parse((await call('/history.csv')).text, { columns: true });
    expect(verdict).to.include({ url: 'https://indexed.example/', is_indexed: 'true', state: 'success' });
    const browser = await visit(service, account);
    expect((await browser.get('/history.xlsx?type=keyword')).status).to.equal(200);
    expect((await browser.get('/address?url=https://indexed.example/')).text).to.contain(
      'href="/history.csv?type=index&amp;url=https%3A%2F%2Findexed.example%2F"',
    );
    await service.quiet();
  });

  it('has a column for a competitor that only the oldest of many checks have', async () => {
    const { accountId, token } = await service.account(0);
    await sql`
      insert into history (account_id, request_id, type, state, input, series, rank, checked_at)
      select ${accountId}, n, 'keyword', 'success', case n when 1
          then '{"keyword": "k", "competitor_urls": ["former.example"]}'::json else '{"keyword": "k"}' end,
        sha256('k'), 5, now() - (2000 - n) * interval '1 second'
      from generate_series(1, 1100) as n`.execute(service.db);
    const { text } = await service.call('/history.csv?type=keyword', { token });
    const [names = []]: string[][] = parse(text);
    expect(names).to.include('former.example');
  });
});
