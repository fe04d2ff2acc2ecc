import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import type { CheckType } from '../../../schemas/check-types.ts';
import { toFileName } from '../../../server/api/results/export.ts';
import { httpAnswer } from '../../support/answers.ts';
import { storeBatch } from '../../support/ended-batch.ts';
import { useAccount, useService } from '../../support/service.ts';

const today = () => new Date().toISOString().slice(0, 10);

describe('exports', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '0' });
  const account = useAccount(service, 10);

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
  const parseRows = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

  const store = (
    type: CheckType,
    entries: Array<[input: object, outcome: object | null]>,
    reference: string | null = null,
  ) => storeBatch(service, { accountId: account.accountId, type, entries, reference, error: 'canceled' });

  const answer = httpAnswer({
    ...{ is_soft404: true, soft404_reasons: ['title', 'short text'], initial_status: 301, redirect_count: 2 },
    redirects: [
      { url: 'http://a.example/', status: 301 },
      { url: 'https://a.example/', status: 302 },
    ],
    ...{ final_url: 'https://a.example/b,"c"', title: '=Shoes', canonical: 'https://a.example/b' },
    noindex: 'meta',
  });

  it('contain the results line by line, in the order of submission, or as a workbook', async () => {
    const entries = Array.from({ length: 250 }, (_, n): [object, object | null] => [
      { url: `http://a.example/${n}` },
      n % 7 === 3 ? null : answer,
    ]);
    const id = await store('http', entries, 'october');
    const { body } = await call(`/batch/${id}`);
    const ndjson = await call(`/batch/${id}/results.ndjson`);
    expect(ndjson.headers.get('content-type')).to.equal('application/x-ndjson');
    expect(ndjson.headers.get('content-disposition')).to.equal(
      `attachment; filename=sonde-october-${today()}.ndjson`,
    );
    const lines = ndjson.text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal(body.results);

    const csv = await call(`/batch/${id}/results.csv`);
    expect(csv.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).to.equal(
      `attachment; filename=sonde-october-${today()}.csv`,
    );
    const book = await call(`/batch/${id}/results.xlsx`);
    expect(book.headers.get('content-disposition')).to.equal(
      `attachment; filename=sonde-october-${today()}.xlsx`,
    );
    expect([book.headers.get('content-encoding'), book.text.slice(0, 2)]).to.deep.equal([null, 'PK']);
    const rows = parseRows(csv.text);
    expect(rows.map(({ url }) => url)).to.deep.equal(body.results.map(({ url }: { url: string }) => url));
    expect(rows[0]).to.deep.include({
      state: 'success',
      status: '200',
      is_soft404: 'true',
      redirects: '301 http://a.example/ -> 302 https://a.example/',
      soft404_reasons: 'title; short text',
      final_url: 'https://a.example/b,"c"',
      bot_wall: '',
      title: "'=Shoes",
      canonical: 'https://a.example/b',
      noindex: 'meta',
      credits: '1',
      reference: 'october',
      request_id: String(body.results[0].request_id),
    });
    expect(rows[3]).to.deep.include({ state: 'failed', error: 'canceled', status: '', credits: '0' });
  });

  it('have a file name of letters, digits and hyphens', () => {
    const createdAt = new Date('2026-11-20T23:59:59Z');
    const getName = (reference: string) =>
      toFileName({ name: null, reference, type: 'http', createdAt }, {}, 'csv');
    expect(getName('../../etc/passwd\r\nX: 1')).to.equal('sonde-etc-passwd-x-1-2026-11-20.csv');
    expect(getName('Größe Ελλάδα “A”')).to.equal('sonde-größe-ελλάδα-a-2026-11-20.csv');
    expect(getName('\u202e ☃ ..')).to.equal('sonde-http-2026-11-20.csv');
    expect(getName('x'.repeat(255))).to.have.length('sonde--2026-11-20.csv'.length + 60);
  });

  it('have the columns of their type', async () => {
    const found = { is_indexed: false, engine: 'google', match: null, provider: 'sandbox', simulated: true };
    const ofIndex = await store('index', [[{ url: 'https://a.example/' }, found]]);
    const rank = { found: true, rank: 3, ranked_url: 'https://a.example/', page: 1, provider: 'serper' };
    const query = { keyword: 'shoes', target_url: 'a.example', country: 'US', match: 'site', tag: null };
    const ofRanks = await store('keyword', [[query, rank]]);
    const [index] = parseRows((await call(`/batch/${ofIndex}/results.csv`)).text);
    expect(index).to.include({ is_indexed: 'false', simulated: 'true', reference: '' });
    expect(index).to.not.have.any.keys('rank', 'status', 'redirects');
    const [keyword] = parseRows((await call(`/batch/${ofRanks}/results.csv`)).text);
    expect(keyword).to.include({
      keyword: 'shoes',
      target_url: 'a.example',
      rank: '3',
      found: 'true',
      tag: '',
    });
    expect(keyword).to.not.have.any.keys('is_indexed', 'status');
  });

  it('have a column per competitor, and the separators of a language on request', async () => {
    const query = { keyword: 'shoes', target_url: 'a.example', start_page: 1, end_page: 2 };
    const rankAnswer = (rank: number, ranks: Record<string, number | null>) => ({
      ...{ found: true, rank, pages_searched: 1 },
      competitors: Object.entries(ranks).map(([url, one]) => ({ url, rank: one, ranked_url: null })),
    });
    const ask = (...urls: string[]) => ({ ...query, competitor_urls: urls });
    const id = await store('keyword', [
      [ask('b.example', 'c.example'), rankAnswer(3, { 'b.example': 1, 'c.example': null })],
      [ask('d.example', 'b.example'), rankAnswer(4, { 'd.example': 9, 'b.example': 2 })],
      [query, { found: true, rank: 5 }],
      [ask('c.example'), null],
    ]);
    const csv = (await call(`/batch/${id}/results.csv?locale=de-DE`)).text;
    const rows: Record<string, string>[] = parse(csv, { columns: true, delimiter: ';' });
    const found = rows.map((row) => ['b.example', 'c.example', 'd.example'].map((name) => row[name]));
    expect(found).to.deep.equal([
      ['1', 'not_searched', ''],
      ['2', '', '9'],
      ['', '', ''],
      ['', '', ''],
    ]);
    expect(Object.keys(rows[0] ?? {}).filter((name) => name.endsWith('.example'))).to.deep.equal([
      'b.example',
      'c.example',
      'd.example',
    ]);
    expect(rows[0]?.checked_at).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    for (const locale of ['%00', 'x', '1']) {
      const refused = await call(`/batch/${id}/results.csv?locale=${locale}`);
      expect([refused.status, Object.keys(refused.body.errors)]).to.deep.equal([422, ['locale']]);
    }
  });

  it('are rejected while the batch runs, unless partial results are requested', async () => {
    const body = { urls: ['https://example.com/', 'shoes'], on_invalid: 'skip', reference: 'now' };
    const { batch_id: id } = (await call('/http-status/bulk', { body })).body;
    for (const ending of ['csv', 'ndjson', 'xlsx']) {
      const refused = await call(`/batch/${id}/results.${ending}`);
      expect([refused.status, refused.body.error]).to.deep.equal([409, 'batch_not_finished']);
      expect(refused.headers.get('retry-after')).to.equal('2');
      expect((await call(`/batch/${id}/results.${ending}?results=none`)).status).to.equal(422);
    }
    const [settled, ...others] = parseRows((await call(`/batch/${id}/results.csv?results=partial`)).text);
    expect(others).to.deep.equal([]);
    expect(settled).to.include({ url: 'shoes', error: 'invalid_url', reference: 'now' });

    const { batch_id: empty } = (await call('/http-status/bulk', { body: { urls: ['https://a.example/'] } }))
      .body;
    const csv = await call(`/batch/${empty}/results.csv?results=partial`);
    expect(csv.text).to.match(/^url,state,status,[\w,]+\n$/);
    expect((await call(`/batch/${empty}/results.ndjson?results=partial`)).text).to.equal('');
  });

  it('contain only the results of a filter or a search', async () => {
    const page = (n: number, status: number): [object, object] => [
      { url: `http://a.example/${n}` },
      { ...answer, status, is_soft404: false },
    ];
    const id = await store('http', [...Array.from({ length: 120 }, (_, n) => page(n, 404)), page(7000, 200)]);
    const listUrls = async (query: string) =>
      parseRows((await call(`/batch/${id}/results.csv?${query}`)).text).map(({ url }) => url);
    expect(await listUrls('show=ok')).to.deep.equal(['http://a.example/7000']);
    expect(await listUrls('show=dead')).to.have.length(120);
    expect(await listUrls('show=dead&q=/7')).to.have.length(11);
    expect(await listUrls('q=%25')).to.deep.equal([]);
    const lines = (await call(`/batch/${id}/results.ndjson?show=dead&q=/119`)).text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).url)).to.deep.equal(['http://a.example/119']);
    const unknown = await call(`/batch/${id}/results.csv?show=ranked`);
    expect([unknown.status, Object.keys(unknown.body.errors)]).to.deep.equal([422, ['show']]);
    const tooLong = await call(`/batch/${id}/results.csv?q=${'x'.repeat(201)}`);
    expect([tooLong.status, Object.keys(tooLong.body.errors)]).to.deep.equal([422, ['q']]);
  });

  it('break off when the results are deleted meanwhile, so that they do not look complete', async () => {
    const id = await store('http', [[{ url: 'http://a.example/' }, answer]]);
    await sql`delete from items where batch_id = ${id}`.execute(service.db);
    for (const path of ['/results.csv', '/results.ndjson', '']) {
      const broken = await call(`/batch/${id}${path}`).catch((error: Error) => error.message);
      expect(broken, path).to.match(/terminated|fetch failed/);
    }
  });
});
