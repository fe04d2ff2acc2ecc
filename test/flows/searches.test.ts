import { expect } from 'chai';
import { queueOf } from '../../db/queue/queue.ts';
import { startGoogle, useGoogle } from '../support/google.ts';
import { endedWithoutPauses, moveToNextJob } from '../support/jobs.ts';
import type { Answer } from '../support/provider.ts';
import { TestService } from '../support/service.ts';

describe('searches over two providers', () => {
  const google = useGoogle();
  let service: TestService;
  /**
   * Answers of a service whose first provider is slow. They take the whole timeout, so they are started first and read
   * last.
   */
  let ofSlow: ReturnType<typeof single>;

  before(async () => {
    ofSlow = askOneWithASlowFirst();
    ofSlow.catch(() => {});
    service = await TestService.start({ ...google.env(), SERP_REUSE_SECONDS: '0' }, { worker: true });
  });

  beforeEach(() => {
    google.let('serper', 'well');
    google.let('serpapi', 'well');
  });

  after(async () => {
    await ofSlow.catch(() => {});
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
  });

  const single = (token: string, url = 'https://indexed.example/shoes', of = service) =>
    of.call('/check', { token, body: { url } });
  const askOneWithASlowFirst = async () => {
    const slow = await startGoogle();
    slow.let('serper', { delayMs: 30_000, body: {} });
    const own = await TestService.start(slow.env());
    try {
      const { token } = await own.account(5);
      return await single(token, undefined, own);
    } finally {
      await own.stop();
      await slow.close();
    }
  };

  it('answer a single index check as documented', async () => {
    const { token } = await service.account(5);
    const { status, body } = await single(token);
    expect(status).to.equal(200);
    expect(body).to.include({
      success: true,
      url: 'https://indexed.example/shoes',
      is_indexed: true,
      engine: 'google',
      credits_remaining: 4,
      match: 'exact',
      found_by: 'url',
      provider: 'serper',
    });
    expect((await single(token, 'https://elsewhere.example/')).body).to.include({
      is_indexed: false,
      credits_remaining: 3,
    });
  });

  it('answer a single keyword query as documented', async () => {
    const { token } = await service.account(5);
    const query = { url: 'rank-23.example', keyword: 'red shoes', country: 'uk', language: 'EN', tag: 'a' };
    const { status, body } = await service.call('/keyword-track', { token, body: { queries: [query] } });
    expect(status).to.equal(200);
    expect(body).to.include({
      success: true,
      keyword: 'red shoes',
      target_url: 'rank-23.example',
      rank: 23,
      ranked_url: 'https://rank-23.example/',
      credits_remaining: 4,
      found: true,
      page: 3,
      position_on_page: 3,
      country: 'GB',
      language: 'en',
      device: 'desktop',
      tag: 'a',
    });
    const missing = { url: 'nobody.example', keyword: 'red shoes', end_page: 2 };
    const { body: none } = await service.call('/keyword-track', { token, body: { queries: [missing] } });
    expect(none).to.include({ found: false, rank: null, ranked_url: null, pages_searched: 2 });
  });

  it('answer 422 with the field of an invalid query, also when no provider supports it', async () => {
    const { token } = await service.account(5);
    const faults: Array<[query: object, field: string]> = [
      [{ country: 'XX' }, 'country'],
      [{ language: 'xx' }, 'language'],
      [{ url: 'shoes' }, 'url'],
      [{ keyword: ' ' }, 'keyword'],
      [{ keyword: 'a\u0007b' }, 'keyword'],
      [{ start_page: 5, end_page: 4 }, 'end_page'],
    ];
    for (const [fault, field] of faults) {
      const queries = [
        { url: 'a.example', keyword: 'x' },
        { url: 'a.example', keyword: 'x', ...fault },
      ];
      const { status, body } = await service.call('/keyword-track', { token, body: { queries } });
      expect(status, field).to.equal(422);
      expect(Object.keys(body.errors)).to.deep.equal([`queries.1.${field}`]);
    }
    const onlySerper = await TestService.start(google.env('serper'));
    const { token: other } = await onlySerper.account(5);
    const queries = [{ url: 'a.example', keyword: 'x', brd_mobile: true }];
    const { status, body } = await onlySerper.call('/keyword-track', { token: other, body: { queries } });
    expect([status, Object.keys(body.errors)]).to.deep.equal([422, ['queries.0.brd_mobile']]);
    await onlySerper.stop();
  });

  const troubles: Array<[what: string, answer: Answer]> = [
    ['failing', { status: 500, body: '' }],
    ['refusing the key', { status: 403, body: { message: 'Unauthorized.' } }],
    ['answering another query', { body: { searchInformation: { showingResultsFor: 'x' }, organic: [] } }],
    ['speaking nonsense', { body: '<html>captcha</html>' }],
  ];
  for (const [what, answer] of troubles) {
    it(`with the first ${what}, get every answer from the second, single and bulk`, async () => {
      google.let('serper', answer);
      const { token } = await service.account(50);
      expect((await single(token)).body).to.include({ is_indexed: true, provider: 'serpapi' });
      const urls = Array.from(
        { length: 20 },
        (_, index) => `https://indexed.example/${what.length}/${index}`,
      );
      const { body } = await service.call('/check/bulk', { token, body: { urls } });
      const batch = await service.ended(token, body.batch_id);
      expect(batch.summary).to.deep.equal({ indexed: 20, not_indexed: 0, canceled: 0, skipped: 0 });
      expect(new Set(batch.results.map((item: { provider: string }) => item.provider))).to.deep.equal(
        new Set(['serpapi']),
      );
    });
  }

  it('with both failing, answer single checks with 503 and refund batches', async () => {
    google.let('serper', { status: 500, body: '' });
    google.let('serpapi', { status: 503, body: '' });
    const { token, accountId } = await service.account(50);
    const { status, headers, body } = await single(token);
    expect([status, headers.get('retry-after'), body.error]).to.deep.equal([503, '5', 'google_unreadable']);
    expect(body.message).to.equal(
      "We could not read Google's answer. You were not charged. Try again in 5 seconds.",
    );
    const urls = Array.from({ length: 12 }, (_, index) => `https://indexed.example/both/${index}`);
    const { body: accepted } = await service.call('/check/bulk', { token, body: { urls } });
    const batch = await endedWithoutPauses(service, token, { batch_id: accepted.batch_id, type: 'index' });
    expect(batch).to.include({ status: 'failed', failed: 12, credits_refunded: 12 });
    expect(batch.results[0]).to.include({ state: 'failed', error: 'google_unreadable', credits: 0 });
    expect(batch.results[0]).to.not.have.property('is_indexed');
    expect(await service.credits(accountId)).to.equal(50);
  });

  it('send the same query to a pausing provider only after the pause', async () => {
    google.serper.willAnswer({ status: 429, headers: { 'Retry-After': '20' }, body: {} });
    const oneProvider = await TestService.start(google.env('serper'), { worker: true });
    const { token } = await oneProvider.account(1);
    const urls = ['https://indexed.example/pause'];
    const { body } = await oneProvider.call('/check/bulk', { token, body: { urls } });
    await oneProvider.until(token, body.batch_id, ({ waiting }) => waiting !== undefined);
    expect(google.serper.seen).to.have.lengthOf(1);
    google.let('serper', 'well');
    expect(await moveToNextJob(oneProvider.db, queueOf('index'))).to.be.within(1, 20);
    expect(await oneProvider.ended(token, body.batch_id)).to.include({ successful: 1 });
    await oneProvider.stop();
  });

  it('with both rejecting us, ask the operator to act', async () => {
    google.let('serper', { status: 403, body: { message: 'Unauthorized.' } });
    google.let('serpapi', { status: 401, body: { error: 'Invalid API key.' } });
    const { token } = await service.account(5);
    const { status, body } = await single(token, 'https://indexed.example/refused');
    expect([status, body.error]).to.deep.equal([503, 'provider_refused']);
    expect(body.message).to.equal(
      'The search provider rejected our request. The operator must fix this. You were not charged.',
    );
  });

  it('with the first slow, answer a single check from the second within its deadline', async () => {
    const { status, body } = await ofSlow;
    expect([status, body.provider]).to.deep.equal([200, 'serpapi']);
  });

  it('list index checks in the history, newest first, filtered', async () => {
    const { token } = await service.account(20);
    await single(token, 'https://indexed.example/h1');
    await single(token, 'https://elsewhere.example/h2');
    const urls = ['https://indexed.example/h3', 'https://elsewhere.example/h4'];
    const { body } = await service.call('/check/bulk', { token, body: { urls } });
    await service.ended(token, body.batch_id);
    const list = async (query: string) => (await service.call(`/history?${query}`, { token })).body;
    const all = await list('');
    expect(all).to.include({ success: true, total: 4, per_page: 20 });
    expect(all.data[3]).to.include({
      url: 'https://indexed.example/h1',
      is_indexed: true,
      engine: 'google',
      state: 'success',
      batch_id: null,
    });
    expect(
      all.data.slice(0, 2).every((row: { batch_id: string }) => row.batch_id === body.batch_id),
    ).to.equal(true);
    expect((await list('is_indexed=false')).total).to.equal(2);
    expect((await list('url=https%3A%2F%2Findexed.example%2Fh3')).data).to.have.lengthOf(1);
    expect((await list('from=2100-01-01')).total).to.equal(0);
    expect((await list('to=2100-01-01T00:00:00Z')).total).to.equal(4);
    expect((await list('type=keyword')).total).to.equal(0);
    for (const query of ['is_indexed=maybe', 'from=yesterday', 'type=http', 'url=a&url=b']) {
      expect((await service.call(`/history?${query}`, { token })).status, query).to.equal(422);
    }
  });
});
