import { expect } from 'chai';
import { afterTest } from '../../support/after-test.ts';
import { TestService, useAccount, useService } from '../../support/service.ts';

const urls = ['https://indexed.example/a', 'https://not-indexed.example/b', 'https://not-indexed.example/c'];

describe('a batch that is checked again', () => {
  const service = useService({}, { worker: true });
  const account = useAccount(service, 100);
  let batchId: string;

  before(async () => {
    const body = { urls: [...urls, 'shoes'], on_invalid: 'skip', reference: 'october' };
    batchId = (await call('/check/bulk', { body })).body.batch_id;
    await service.ended(account.token, batchId);
  });

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
  const again = (body: object | undefined, id = batchId) =>
    call(`/batch/${id}/again`, { method: 'POST', ...(body ? { body } : {}) });
  const askedIn = async (id: string): Promise<string[]> => {
    const { results } = await service.ended(account.token, id);
    return results.map(({ url }: { url: string }) => url);
  };

  it('repeats all items, those of a filter, or the given ones', async () => {
    const before = await service.credits(account.accountId);
    const all = await again(undefined);
    expect(all.body).to.include({
      total: 3,
      again_of: batchId,
      reference: 'october',
      credits_remaining: before - 3,
    });
    expect(await askedIn(all.body.batch_id)).to.deep.equal(urls);
    expect((await call(`/batch/${all.body.batch_id}`)).body).to.include({ again_of: batchId, type: 'index' });

    const gone = await again({ show: 'not_indexed', q: ' /C\n' });
    expect(await askedIn(gone.body.batch_id)).to.deep.equal([urls[2]]);

    const { results } = (await call(`/batch/${batchId}`)).body;
    const named = await again({ request_ids: [results[2].request_id, results[0].request_id, 1] });
    expect(await askedIn(named.body.batch_id)).to.deep.equal([urls[0], urls[2]]);
    expect(await service.problems()).to.deep.equal([]);
  });

  it('can check its URLs for another type', async () => {
    const other = await again({ type: 'http', show: 'not_indexed' });
    const { type, total, again_of: of } = (await call(`/batch/${other.body.batch_id}`)).body;
    expect({ type, total, of }).to.deep.equal({ type: 'http', total: 2, of: batchId });
    const { options } = await service.db
      .selectFrom('batches')
      .select('options')
      .where('batchId', '=', other.body.batch_id)
      .executeTakeFirstOrThrow();
    expect(options).to.deep.equal({ follow_redirects: true, user_agent: 'sonde' });
    await service.ended(account.token, other.body.batch_id);
  });

  it('rejects a contradictory or empty selection, and charges nothing', async () => {
    const before = await service.credits(account.accountId);
    const getErrors = async (body: object) => {
      const { status, body: answer } = await again(body);
      return [status, ...Object.keys(answer.errors ?? {})];
    };
    expect(await getErrors({ show: 'dead' })).to.deep.equal([422, 'show']);
    expect(await getErrors({ shwo: 'not_indexed' })).to.deep.equal([422, 'body']);
    expect(await getErrors({ type: 'keyword' })).to.deep.equal([422, 'type']);
    expect(await getErrors({ q: 'nowhere' })).to.deep.equal([422, 'batch_id']);
    expect(await getErrors({ show: 'failed' })).to.deep.equal([422, 'batch_id']);
    for (const q of ['', ' \n\u00a0', '\0']) expect(await getErrors({ q })).to.deep.equal([422, 'q']);
    const ids = Array.from({ length: 2001 }, (_, index) => index);
    expect(await getErrors({ request_ids: ids })).to.deep.equal([422, 'request_ids']);
    for (const id of ['abc', 1.5, 1e30, 2 ** 53, -1, null, {}, [1]]) {
      expect(await getErrors({ request_ids: [1, id] })).to.deep.equal([422, 'request_ids.1']);
    }
    expect(await getErrors({ q: '', request_ids: ['1'] })).to.deep.equal([422, 'q', 'request_ids.0']);
    expect(await service.credits(account.accountId)).to.equal(before);
  });

  it('is rejected while it runs, also as a comparison', async () => {
    const idle = await TestService.start();
    afterTest(() => idle.stop());
    const { token } = await idle.account(2);
    const { body } = await idle.call('/check/bulk', { token, body: { urls: urls.slice(1) } });
    const path = `/batch/${body.batch_id}`;
    expect((await idle.call(`${path}/again`, { token, method: 'POST' })).status).to.equal(409);
    for (const ending of ['', '.csv', '.xlsx']) {
      const compared = `${path}/comparison${ending}?with=${body.batch_id}`;
      expect((await idle.call(compared, { token })).status).to.equal(409);
    }
  });

  it('is compared with its earlier batch, or with another batch', async () => {
    const { body: repeated } = await again({});
    await service.ended(account.token, repeated.batch_id);
    const compare = async (id: string, query = '') => (await call(`/batch/${id}/comparison${query}`)).body;
    const same = await compare(repeated.batch_id, '?change=same&per_page=2&page=2');
    expect(same).to.include({
      compared_with: batchId,
      change: 'same',
      total: 3,
      last_page: 2,
      current_page: 2,
    });
    expect(same.counts).to.include({ same: 3, gone: 1, broken: 0, fixed: 0 });
    expect(
      same.data.map(({ now, before }: Record<string, { url: string }>) => [now?.url, before?.url]),
    ).to.deep.equal([[urls[2], urls[2]]]);
    const gone = await compare(repeated.batch_id, `?with=${batchId}&change=gone`);
    expect(gone.data[0]).to.deep.include({ now: null });
    expect(gone.data[0].before).to.include({ url: 'shoes', error: 'invalid_url' });
    const getStatus = async (path: string) => (await call(path)).status;
    for (const ending of ['csv', 'xlsx'])
      expect(await getStatus(`/batch/${repeated.batch_id}/comparison.${ending}`)).to.equal(200);
    expect(await getStatus(`/batch/${repeated.batch_id}/comparison?change=worse`)).to.equal(422);
    const { body: http } = await call('/http-status/bulk', { body: { urls: ['http://127.0.0.1:9/'] } });
    expect(await getStatus(`/batch/${repeated.batch_id}/comparison?with=${http.batch_id}`)).to.equal(422);
    expect(await getStatus(`/batch/${repeated.batch_id}/comparison?with=${account.accountId}`)).to.equal(422);
    await service.ended(account.token, http.batch_id);
  });

  it('can be named and renamed, and keeps its reference', async () => {
    const rename = (name: unknown) => call(`/batch/${batchId}/rename`, { body: { name } });
    expect((await rename('October crawl')).body).to.include({ name: 'October crawl', reference: 'october' });
    const csv = await call(`/batch/${batchId}/results.csv`);
    expect(csv.headers.get('content-disposition')).to.match(/filename=sonde-october-crawl-[\d-]+\.csv$/);
    expect((await rename('')).status).to.equal(422);
    expect((await rename('x'.repeat(256))).status).to.equal(422);
    expect((await rename(null)).body).to.include({ name: null, reference: 'october' });
  });
});
