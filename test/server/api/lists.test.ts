import { expect } from 'chai';
import { sql } from 'kysely';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import * as history from '../../../db/batches/history.ts';
import * as ledger from '../../../db/ledger/ledger.ts';
import { type Db, inTransaction } from '../../../db/postgres/connect.ts';
import { planOf } from '../../support/plans.ts';
import { itOnOneServer } from '../../support/postgres.ts';
import { type Answer, useAccount, useService } from '../../support/service.ts';

const urls = 2_500;

/** The URL of the nth index check of `fillHistory`. */
function urlOfCheck(n: number): string {
  return `https://example.com/${n % urls}`;
}

/**
 * Inserts index checks 1 to `rows` of an account, three a second until now. Every tenth is not indexed. Then updates
 * Postgres's statistics, as autovacuum does.
 */
async function fillHistory(db: Db, accountId: number, rows: number): Promise<void> {
  await sql`
    insert into history (account_id, request_id, type, state, input, series, is_indexed, checked_at)
    select ${accountId}, n, 'index', 'success', json_build_object('url', url),
      sha256(convert_to('["' || url || '"]', 'UTF8')), n % 10 > 0,
      date_trunc('milliseconds', now()) - ((${rows}::int - n) / 3) * interval '1 second'
    from generate_series(1, ${rows}::int) as n, concat('https://example.com/', n % ${urls}::int) as url`.execute(
    db,
  );
  await sql`vacuum analyze history`.execute(db);
}

describe('lists', () => {
  const service = useService({ BASE_URL: 'https://sonde.example', RATE_LIMIT_PER_MINUTE: '0' });
  const account = useAccount(service, 1);

  before(async () => {
    const { accountId } = account;
    // Another account has rows of the same time, as in production.
    const neighbour = await service.account(0);
    await fillHistory(service.db, neighbour.accountId, 5_000);
    await fillHistory(service.db, accountId, 20_000);
    for (let n = 1; n <= 40; n++) {
      await inTransaction(service.db, (trx) => ledger.grant(trx, accountId, n, null));
    }
    // Three batches have the same creation time, so that only their ids order them.
    await sql`
      insert into batches (account_id, batch_id, type, first_request_id, total, created_at)
      select ${accountId}, gen_random_uuid(), case when n % 2 = 0 then 'http' else 'index' end, 5 * n, 5,
        timestamptz '2026-11-20T09:41:05Z' + n / 3 * interval '1 millisecond'
      from generate_series(1, 41) as n`.execute(service.db);
  });

  const get = (path: string) => service.call(path, { token: account.token });

  it('warn about unknown query parameters', async () => {
    const { body } = await get('/batches?typ=http&per_page=1');
    expect(body.warnings).to.deep.equal(['typ is not a parameter and was ignored. Did you mean type?']);
    for (const path of [
      '/batches?type=http',
      '/history?type=index',
      '/credits/ledger?page=1',
      '/webhooks/deliveries',
    ]) {
      expect((await get(path)).body).not.to.have.property('warnings');
    }
  });

  it('warn about unknown query parameters of single resources', async () => {
    const { body: list } = await get('/batches?per_page=1');
    const path = `/batch/${list.data[0].batch_id}`;
    expect((await get(`${path}?results=none`)).body).not.to.have.property('warnings');
    const { body } = await get(`${path}?show=dead&results=none`);
    expect(body.warnings).to.deep.equal(['show is not a parameter and was ignored.']);
  });

  it('warn about unknown query parameters after a slash at the end of the path', async () => {
    const headers = { Authorization: `Bearer ${account.token}` };
    const answer = await fetch(`${service.baseUrl}/api/v1/batches/?type=http&typ=http`, { headers });
    const { warnings } = (await answer.json()) as { warnings: string[] };
    expect(warnings).to.deep.equal(['typ is not a parameter and was ignored. Did you mean type?']);
  });

  /** Returns all pages of a list, by the cursors. */
  async function walk(path: string, between = async () => {}): Promise<Answer['body'][]> {
    const pages: Answer['body'][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await get(`${path}&cursor=${cursor}`);
      expect(status).to.equal(200);
      pages.push(body);
      cursor = body.next_cursor;
      await between();
    }
    return pages;
  }

  const lists: Array<[path: string, id: string, rows: number]> = [
    ['/batches?per_page=7', 'batch_id', 41],
    ['/batches?per_page=7&type=http&status=pending', 'batch_id', 20],
    ['/credits/ledger?per_page=6', 'entry_no', 41],
    [`/history?per_page=3&url=${urlOfCheck(5)}`, 'request_id', 8],
    ['/history?per_page=100&is_indexed=false', 'request_id', 2000],
  ];

  for (const [path, id, rows] of lists) {
    it(`${path} pages by cursor without gaps or repetition`, async () => {
      const pages = await walk(path);
      const ids = pages.flatMap(({ data }) => data.map((row: Record<string, unknown>) => row[id]));
      expect(new Set(ids).size).to.equal(rows);
      expect(ids).to.have.lengthOf(rows);
      const byPage = (await get(`${path}&page=2`)).body;
      expect(pages[1].data).to.deep.equal(byPage.data);
      for (const { total, last_page } of pages) {
        expect({ total, last_page }).to.deep.equal({ total: rows, last_page: pages.length });
      }
    });
  }

  it('have the entries of the ledger, newest first', async () => {
    const { token } = await service.account(42);
    const body = { url: 'http://127.0.0.1:1/' };
    const { request_id: requestId } = (await service.call('/http-status', { token, body })).body;
    const { data } = (await service.call('/credits/ledger', { token })).body;
    expect(data).to.have.lengthOf(2);
    expect(data[0]).to.include({ kind: 'charge', amount: -1, balance_after: 41, batch_id: null });
    expect(data[0]).to.include({ request_id: requestId });
    expect(data[1]).to.include({ kind: 'grant', amount: 42, balance_after: 42, note: 'test' });
    expect((await service.call('/credits', { token })).text).to.equal('{"credits":41}');
  });

  it('are stable while entries are added', async () => {
    const before = (await get('/credits/ledger?per_page=100')).body.data;
    const add = () =>
      inTransaction(service.db, (trx) => ledger.grant(trx, account.accountId, 1, 'meanwhile'));
    const pages = await walk('/credits/ledger?per_page=10', async () => void (await add()));
    expect(pages.flatMap(({ data }) => data)).to.deep.equal(before);
  });

  it('give the same URLs of neighboring pages in the body and in the Link header', async () => {
    const address = 'https://sonde.example/api/v1/batches?type=http&per_page=8';
    const second = await get('/batches?type=http&per_page=8&page=2');
    expect(second.body).to.include({
      current_page: 2,
      next_page_url: `${address}&page=3`,
      prev_page_url: `${address}&page=1`,
    });
    expect(second.headers.get('link')).to.equal(
      `<${address}>; rel="first", <${address}&page=3>; rel="next", <${address}&page=1>; rel="prev"`,
    );
    const last = await get('/batches?type=http&per_page=8&page=3');
    expect(last.body).to.include({ next_page_url: null, next_cursor: null });
    expect(last.headers.get('link')).to.not.include('next');

    const byCursor = await get(
      `/batches?type=http&per_page=8&cursor=${(await get('/batches?type=http&per_page=8')).body.next_cursor}`,
    );
    const { next_cursor: cursor, next_page_url: next } = byCursor.body;
    expect(byCursor.body).to.include({ current_page: null, prev_page_url: null });
    expect(next).to.equal(`${address}&cursor=${cursor}`);
    expect(byCursor.headers.get('link')).to.equal(`<${address}>; rel="first", <${next}>; rel="next"`);
    expect((await get(next.replace('https://sonde.example/api/v1', ''))).body.data).to.deep.equal(
      last.body.data,
    );
  });

  it('reject invalid filters and pages', async () => {
    for (const query of [
      'type=ftp',
      'status=done',
      'per_page=101',
      'page=x',
      'per_page=1&per_page=2',
      'submission_id=x',
    ])
      expect((await get(`/batches?${query}`)).status, query).to.equal(422);
  });

  it('name the parameter of a damaged cursor, or one of another list', async () => {
    const { next_cursor: whole } = (await get('/batches?per_page=1')).body;
    const foreign = (await get('/history?per_page=1')).body.next_cursor;
    const flipped = whole.slice(0, -1) + (whole.endsWith('A') ? 'E' : 'A');
    const damaged = [
      flipped,
      whole.slice(1),
      whole.slice(0, -4),
      `${whole}=`,
      `${whole}AAAA`,
      foreign,
      '*',
      '1',
      '%00',
    ];
    for (const cursor of damaged) {
      const { status, body } = await get(`/batches?cursor=${cursor}`);
      expect(status, cursor).to.equal(422);
      expect(body.errors, cursor).to.have.all.keys('cursor');
    }
    for (const query of [`cursor=${whole}&cursor=${whole}`, `cursor=${whole}&page=2`]) {
      expect((await get(`/batches?${query}`)).body.errors, query).to.have.property('cursor');
    }
    for (const path of ['/history', '/credits/ledger']) {
      expect((await get(`${path}?cursor=${whole}`)).body.errors).to.have.all.keys('cursor');
    }
  });

  it('stop counting at 10,000', async () => {
    const { body } = await get('/history?per_page=100');
    expect(body).to.include({ total: null, last_page: null, total_is_more: true });
    expect((await get('/history?per_page=100&page=200')).body.next_cursor).to.equal(null);
  });

  itOnOneServer('read no more rows than a page holds, for every page and filter', async () => {
    const { accountId } = account;
    const middle = await history.list(service.db, accountId, {
      type: 'index',
      days: 1100,
      limit: 1,
      offset: 10_000,
    });
    const [after] = middle;
    const filters: Array<Omit<history.HistoryFilter, 'type' | 'days'>> = [
      {},
      { url: urlOfCheck(7) },
      { isIndexed: false },
      { isIndexed: true, from: after?.checkedAt },
      { from: after?.checkedAt, to: new Date() },
    ];
    for (const filter of filters.flatMap((one) => [one, { ...one, after }])) {
      const what = JSON.stringify(filter);
      const asked = { type: 'index' as const, days: 1100, ...filter };
      const page = await planOf(service.db, (db) => history.list(db, accountId, { ...asked, limit: 21 }));
      expect(page.join(', '), what)
        .to.match(/Index Scan history_first_/)
        .and.not.match(/Seq Scan history_first/);
    }
    const no = { type: 'index' as const, days: 1100, isIndexed: false, limit: 21 };
    expect(await planOf(service.db, (db) => history.list(db, accountId, no))).to.include(
      'Index Scan history_first_account_id_type_is_indexed_checked_at_request_idx',
    );
    const place = { createdAt: new Date(), batchId: '00000000-0000-4000-8000-000000000000' };
    const steps = await inTransaction(service.db, async (trx) => {
      // With so few rows, Postgres prefers a sequential scan to an index.
      await sql`set local enable_seqscan = off`.execute(trx);
      return planOf(trx, (db) => batchLists.list(db, accountId, { limit: 21, after: place }));
    });
    expect(steps).to.deep.equal(['Limit', 'Index Scan batches_newest_first']);
  });
});
