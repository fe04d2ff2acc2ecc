import { expect } from 'chai';
import { sql } from 'kysely';
import { purge } from '../../../upkeep/retention.ts';
import { useAccount, useService } from '../../support/service.ts';

describe('options for more results of one search', () => {
  const service = useService({ FULL_PAGES_MAX: '3' }, { worker: true });
  const account = useAccount(service);

  afterEach(async () => expect(await service.problems()).to.deep.equal([]));

  const rank = (query: object, path = '/keyword-track') =>
    service.call(path, {
      token: account.token,
      body: { queries: [{ url: 'rank-7.example', keyword: 'shoes', ...query }] },
    });
  const getErrors = async (query: object) => (await rank(query)).body.errors;

  it('report competitors on the pages that are read, at the price of one query', async () => {
    const before = await service.credits(account.accountId);
    const { body } = await rank({ competitors: ['rank-7.example', 'nobody.example'], full: true });
    expect(body).to.deep.include({ found: true, rank: 7, end_page: 2, full: true });
    expect(body.competitors).to.deep.equal([
      { url: 'rank-7.example', rank: 7, ranked_url: body.ranked_url },
      { url: 'nobody.example', rank: null, ranked_url: null },
    ]);
    expect(body).to.not.have.any.keys('results', 'asked');
    expect(before - (await service.credits(account.accountId))).to.equal(1);
  });

  it('warn about full without end_page', async () => {
    const says =
      'If `full` is set without `end_page`, only pages 1 to 2 are read, or only `start_page` if it is greater than 1. Set `end_page` to read more.';
    expect((await rank({ full: true })).body.warnings).to.deep.equal([says]);
    for (const query of [{ full: true, end_page: 2 }, { full: false }, {}]) {
      expect((await rank(query)).body, JSON.stringify(query)).to.not.have.property('warnings');
    }
  });

  it('find competitors in a monitor without losing a site on a later page', async () => {
    const call = (path: string, body?: object) => service.call(path, { token: account.token, body });
    const query = { keyword: 'shoes', url: 'rank-25.example', competitors: ['rank-1.example'] };
    const terms = { name: 'Shop', type: 'keyword', schedule: { every: 'day' } };
    const queries = [query, { ...query, full: true }, { ...query, start_page: 2 }];
    const { monitor } = (await call('/monitors', { ...terms, queries })).body;
    await call(`/monitors/${monitor.monitor_id}/run`, {});
    await service.quiet();
    const { data } = (await call(`/monitors/${monitor.monitor_id}/subjects`)).body;
    expect(data.map(({ latest }: { latest: { rank: number } }) => latest.rank)).to.deep.equal([25, null, 25]);
    expect(data[0].latest.competitors).to.deep.equal([{ url: 'rank-1.example', rank: 1 }]);
  });

  it('return the results of a query on request, now and later', async () => {
    const { body } = await rank({ include: ['results'], end_page: 1 });
    expect(body.results[body.rank - 1]).to.include({ position: 7, url: body.ranked_url, page: 1 });
    const earlier = (include: string) =>
      service.call(`/checks/${body.request_id}${include}`, { token: account.token });
    expect((await earlier('?include=results')).body.results).to.deep.equal(body.results);
    expect((await earlier('')).body).to.not.have.property('results');
  });

  it('return the queries that were sent', async () => {
    const { body: ranked } = await rank({ end_page: 1 }, '/keyword-track?include=evidence');
    expect(ranked.asked).to.deep.equal([{ query: 'shoes', provider: 'sandbox', results: 10 }]);
    const { body: index } = await service.call('/check?include=evidence', {
      token: account.token,
      body: { url: 'https://not-indexed.example/' },
    });
    expect(index.asked.map(({ query }: { query: string }) => query)).to.deep.equal([
      'not-indexed.example',
      'site:not-indexed.example',
    ]);
  });

  it('apply to batches: in their body and both exports, but not in webhooks', async () => {
    const queries = [
      { url: 'rank-7.example', keyword: 'boots', include: ['results'], competitors: ['example.org'] },
      { url: 'rank-7.example', keyword: 'boots' },
    ];
    const { body: accepted } = await service.call('/keyword-track', {
      token: account.token,
      body: { queries },
    });
    const plain = await service.ended(account.token, accepted.batch_id);
    expect(plain.results[0]).to.not.have.any.keys('results', 'asked');
    const path = `/batch/${accepted.batch_id}`;
    const { body: batch } = await service.call(`${path}?include=results,evidence`, { token: account.token });
    expect(batch.results[0].results).to.have.length.above(6);
    expect(batch.results[1]).to.not.have.property('results');
    expect(batch.results[1].asked[0]).to.include({ query: 'boots' });
    const csv = await service.call(`${path}/results.csv?include=results`, { token: account.token });
    expect(csv.text.split('\n')[0])
      .to.include('example.org')
      .and.to.include('results')
      .and.not.to.include('asked');
    expect(csv.text).to.include(',not_searched').and.to.include(`7 ${batch.results[0].ranked_url}`);
  });

  it('are rejected when they contradict each other or exceed a limit', async () => {
    expect(await getErrors({ device: 'desktop', brd_mobile: true })).to.have.keys('queries.0.device');
    expect(await getErrors({ competitors: ['good.example.org', 'no site'] })).to.have.keys(
      'queries.0.competitors.1',
    );
    expect(await getErrors({ competitors: Array(11).fill('a.example.org') })).to.have.keys(
      'queries.0.competitors',
    );
    expect(await getErrors({ full: true, end_page: 4 })).to.have.keys('queries.0.end_page');
    expect(await getErrors({ include: ['everything'] })).to.have.keys('queries.0.include.0');
    const { status } = await rank({}, '/keyword-track?include=everything');
    expect(status).to.equal(422);
  });

  it('accept a website on a public suffix as target or competitor, but not a suffix', async () => {
    for (const url of ['www.gov.uk', 'https://www.gov.uk/housing-benefit', 'www.nhs.uk', 'www.gouv.fr']) {
      const { status, body } = await rank({ url, end_page: 1, competitors: ['www.gov.uk', 'www.nhs.uk'] });
      expect([status, body.found], url).to.deep.equal([200, false]);
    }
    for (const url of ['gov.uk', 'https://gov.uk/', 'co.uk', 'com']) {
      expect(Object.keys(await getErrors({ url })), url).to.deep.equal(['queries.0.url']);
    }
  });

  it('accept device instead of brd_mobile', async () => {
    expect((await rank({ device: 'mobile' })).body.device).to.equal('mobile');
    expect((await rank({ device: 'mobile', brd_mobile: true })).status).to.equal(200);
  });

  it('delete results after 30 days, and keep the answer', async () => {
    const { body } = await rank({ include: ['results'], end_page: 1 });
    await sql`update result_pages set created_at = now() - interval '31 days'`.execute(service.db);
    await purge(service.db, { days: 90, historyDays: 1100 });
    const { body: later } = await service.call(`/checks/${body.request_id}?include=results`, {
      token: account.token,
    });
    expect(later).to.include({ rank: 7 }).and.not.to.have.property('results');
  });
});
