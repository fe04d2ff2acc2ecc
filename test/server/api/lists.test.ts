import { expect } from 'chai';
import { sql } from 'kysely';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import * as history from '../../../db/batches/history.ts';
import * as ledger from '../../../db/ledger/ledger.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { fillHistory, urlOfCheck } from '../../support/history-rows.ts';
import { planOf } from '../../support/plans.ts';
import { itOnOneServer } from '../../support/postgres.ts';
import { type Answer, TestService } from '../../support/service.ts';

describe('lists', () => {
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    service = await TestService.start({ BASE_URL: 'https://sonde.example', RATE_LIMIT_PER_MINUTE: '0' });
    account = await service.account(1);
    const { accountId } = account;
    // Another's rows stand between, as they always do.
    const neighbour = await service.account(0);
    await fillHistory(service.db, neighbour.accountId, 5_000);
    await fillHistory(service.db, accountId, 20_000);
    for (let n = 1; n <= 40; n++) {
      await inTransaction(service.db, (trx) => ledger.grant(trx, accountId, n, null));
    }
    // Three to the millisecond, so that only their ids tell them apart.
    await sql`
      insert into batches (account_id, batch_id, type, first_request_id, total, created_at)
      select ${accountId}, gen_random_uuid(), case when n % 2 = 0 then 'http' else 'index' end, 5 * n, 5,
        timestamptz '2026-11-20T09:41:05Z' + n / 3 * interval '1 millisecond'
      from generate_series(1, 41) as n`.execute(service.db);
  });

  after(() => service.stop());

  const get = (path: string) => service.call(path, { token: account.token });

  it('name the parameters of a query that they do not know', async () => {
    const { body } = await get('/batches?typ=http&per_page=1');
    expect(body.warnings).to.deep.equal(['typ is not a parameter. Did you mean type?']);
    for (const path of [
      '/batches?type=http',
      '/history?type=index',
      '/credits/ledger?page=1',
      '/webhooks/deliveries',
    ]) {
      expect((await get(path)).body).not.to.have.property('warnings');
    }
  });

  it('are named where one thing is asked for, too', async () => {
    const { body: list } = await get('/batches?per_page=1');
    const path = `/batch/${list.data[0].batch_id}`;
    expect((await get(`${path}?results=none`)).body).not.to.have.property('warnings');
    const { body } = await get(`${path}?show=dead&results=none`);
    expect(body.warnings).to.deep.equal(['show is not a parameter.']);
  });

  it('know them where a slash ends the path', async () => {
    const headers = { Authorization: `Bearer ${account.token}` };
    const answer = await fetch(`${service.baseUrl}/api/v1/batches/?type=http&typ=http`, { headers });
    const { warnings } = (await answer.json()) as { warnings: string[] };
    expect(warnings).to.deep.equal(['typ is not a parameter. Did you mean type?']);
  });

  /** All pages of a list, each asked for with the cursor of the one before. */
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
    it(`${path} goes on by cursor, losing and repeating nothing`, async () => {
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

  it('are not disturbed by what is added meanwhile', async () => {
    const before = (await get('/credits/ledger?per_page=100')).body.data;
    const add = () =>
      inTransaction(service.db, (trx) => ledger.grant(trx, account.accountId, 1, 'meanwhile'));
    const pages = await walk('/credits/ledger?per_page=10', async () => void (await add()));
    expect(pages.flatMap(({ data }) => data)).to.deep.equal(before);
  });

  it('say where the neighbouring pages are, in the body and in a Link header alike', async () => {
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

  it('refuse a damaged cursor, and one of another list, by name', async () => {
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

  it('never show the rows of another account, whosever the cursor was', async () => {
    const { next_cursor: cursor } = (await get('/batches?per_page=1')).body;
    const stranger = await service.account(0);
    const { body } = await service.call(`/batches?cursor=${cursor}`, { token: stranger.token });
    expect(body).to.include({ total: 0, next_cursor: null });
    expect(body.data).to.deep.equal([]);
  });

  it('count no further than 10,000', async () => {
    const { body } = await get('/history?per_page=100');
    expect(body).to.include({ total: null, last_page: null, total_is_more: true });
    expect((await get('/history?per_page=100&page=200')).body.next_cursor).to.equal(null);
  });

  itOnOneServer(
    'read no more of the table than a page, wherever the page is and whatever the filter',
    async () => {
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
        // These are too few for Postgres to bother with an index by itself.
        await sql`set local enable_seqscan = off`.execute(trx);
        return planOf(trx, (db) => batchLists.list(db, accountId, { limit: 21, after: place }));
      });
      expect(steps).to.deep.equal(['Limit', 'Index Scan batches_newest_first']);
    },
  );
});
