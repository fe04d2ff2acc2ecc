import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { useVisit } from '../../../support/dashboard.ts';
import { useAccount, useService } from '../../../support/service.ts';

describe('exports on the dashboard', () => {
  const service = useService({}, { worker: true });
  const account = useAccount(service, 100);
  const browser = useVisit(service, account);
  let path: string;

  before(async () => {
    const urls = [
      'https://indexed.example/é',
      'https://not-indexed.example/a',
      'https://not-indexed.example/b',
    ];
    const body = { urls, reference: 'October crawl' };
    path = `/batches/${await service.runBatch(account.token, '/check/bulk', body)}`;
  });

  const parseLinks = (page: string) =>
    [...page.matchAll(/href="([^"]*\/results\.(?:csv|xlsx|ndjson)[^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );

  it('are offered above the results: filtered and complete', async () => {
    const { text } = await browser.get(`${path}?show=not_indexed&q=/b&sort=answer&page=1`);
    expect(text.indexOf('results.csv')).to.be.below(text.indexOf('<table'));
    const query = 'show=not_indexed&q=%2Fb';
    expect(parseLinks(text)).to.deep.equal([
      ...['csv', 'xlsx', 'ndjson'].map((ending) => `${path}/results.${ending}?${query}`),
      ...['csv', 'xlsx', 'ndjson'].map((ending) => `${path}/results.${ending}`),
    ]);
    const shown = await browser.get(parseLinks(text)[0] ?? '');
    const day = new Date().toISOString().slice(0, 10);
    expect(shown.headers.get('content-disposition')).to.equal(
      `attachment; filename=sonde-october-crawl-not-indexed-b-${day}.csv`,
    );
    const rows: Record<string, string>[] = parse(shown.text, { columns: true, bom: true });
    expect(rows.map(({ url }) => url)).to.deep.equal(['https://not-indexed.example/b']);
  });

  it('contain all batches of a submission in one file with one name', async () => {
    const id = '5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d12';
    for (const part of ['one', 'two']) {
      const body = { urls: [`https://indexed.example/${part}`], submission_id: id, reference: part };
      await service.runBatch(account.token, '/check/bulk', body);
    }
    const page = `/submissions/${id}`;
    await browser.post(`${page}/rename`, { name: 'Whole shop' });
    const { text } = await browser.get(page);
    expect(text).to.contain('<h1>Whole shop</h1>');
    expect(parseLinks(text)).to.deep.equal(
      ['csv', 'xlsx', 'ndjson'].map((ending) => `${page}/results.${ending}`),
    );
    const csv = await browser.get(`${page}/results.csv`);
    expect(csv.headers.get('content-disposition')).to.contain('filename=sonde-whole-shop-');
    const rows: Record<string, string>[] = parse(csv.text, { columns: true, bom: true });
    expect(rows.map(({ url, reference }) => [url, reference])).to.deep.equal([
      ['https://indexed.example/one', 'one'],
      ['https://indexed.example/two', 'two'],
    ]);
    const other = { urls: ['http://127.0.0.1:9/'], submission_id: id };
    await service.call('/http-status/bulk', { token: account.token, body: other });
    expect(parseLinks((await browser.get(page)).text)).to.deep.equal([]);
    expect((await browser.get(`${page}/results.csv`)).status).to.equal(404);
    await service.quiet();
  });

  it('are the tables of the API with a byte order mark, for spreadsheets', async () => {
    const fetchBytes = async (url: string, headers: Record<string, string>) =>
      Buffer.from(await (await fetch(`${service.baseUrl}${url}`, { headers })).arrayBuffer());
    const cookie = `sonde_session=${browser.cookies.get('sonde_session')}`;
    const own = await fetchBytes(`${path}/results.csv`, { cookie });
    const ofApi = await fetchBytes(`${path.replace('/batches/', '/api/v1/batch/')}/results.csv`, {
      authorization: `Bearer ${account.token}`,
    });
    expect(own.subarray(0, 3).toString('hex')).to.equal('efbbbf');
    expect(own.subarray(3).equals(ofApi)).to.equal(true);
    expect(ofApi.toString()).to.contain('https://indexed.example/é');
  });
});
