import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useAccount, useService } from '../../support/service.ts';
import { useSite } from '../../support/web.ts';

interface Endpoint {
  path: string;
  list: 'urls' | 'queries';
  /** A valid entry, distinct by its number, and an invalid one. */
  entry(number: number): unknown;
  invalidEntry: unknown;
  /** The field that shows an entry in results, and its values for both entries. */
  shown: string;
  shownValue: (number: number) => string;
  invalidShown: string;
  errorField: RegExp;
}

describe('options for a list of entries', () => {
  // Registered before the hooks of `useService`, so the service still runs here.
  after(async () => {
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });
  const service = useService({}, { worker: true });
  const site = useSite();
  const account = useAccount(service, 100, { isForEach: true });

  const endpoints: Endpoint[] = [
    {
      path: '/http-status/bulk',
      list: 'urls',
      entry: (number) => `${site.url}/good?${number}`,
      invalidEntry: { url: 'x' },
      shown: 'url',
      shownValue: (number) => `${site.url}/good?${number}`,
      invalidShown: '{"url":"x"}',
      errorField: /^urls\.1$/,
    },
    {
      path: '/keyword-track',
      list: 'queries',
      entry: (number) => ({ url: 'rank-7.example', keyword: `shoes ${number}`, tag: `t${number}` }),
      invalidEntry: { url: 'rank-7.example', keyword: 'boots\0', country: 17, end_page: 99 },
      shown: 'keyword',
      shownValue: (number) => `shoes ${number}`,
      invalidShown: 'boots\ufffd',
      errorField: /^queries\.1\.(country|end_page|keyword)$/,
    },
  ];

  for (const { path, list, entry, invalidEntry, shown, shownValue, invalidShown, errorField } of endpoints) {
    const submit = (entries: unknown[], options: object = {}) =>
      service.call(path, { token: account.token, body: { [list]: entries, ...options } });

    describe(`of ${path}`, () => {
      it('count duplicates, and check equal entries once on request', async () => {
        const entries = [1, 2, 1, 1].map(entry);
        const all = await submit(entries);
        expect(all.body).to.include({ total: 4, duplicates: 2, credits_remaining: 96 });
        const { body } = await submit(entries, { dedupe: true });
        expect(body).to.include({ total: 2, duplicates: 2, credits_remaining: 94 });
        const { results } = await service.ended(account.token, body.batch_id);
        expect(results.map((item: Record<string, unknown>) => item[shown])).to.deep.equal([
          shownValue(1),
          shownValue(2),
        ]);
      });

      it('accept a batch even when only one entry is left', async () => {
        const { status, body } = await submit([entry(1), entry(1)], { dedupe: true });
        expect([status, body.total, body.duplicates]).to.deep.equal([202, 1, 1]);
      });

      it('reject the whole list for one invalid entry', async () => {
        for (const options of [{}, { on_invalid: 'reject' }]) {
          const { status, body } = await submit([entry(1), invalidEntry], options);
          expect(status).to.equal(422);
          expect(Object.keys(body.errors).length).to.be.greaterThan(0);
          for (const field of Object.keys(body.errors)) expect(field).to.match(errorField);
        }
        expect(await service.credits(account.accountId)).to.equal(100);
      });

      it('keep an invalid entry at its position, uncharged, on request', async () => {
        const { status, body } = await submit([entry(1), invalidEntry, entry(2)], { on_invalid: 'skip' });
        expect(status).to.equal(202);
        expect(body).to.include({ total: 3, credits_remaining: 98 });
        const batch = await service.ended(account.token, body.batch_id);
        expect(batch).to.include({ status: 'partial', credits_charged: 2, credits_refunded: 0, failed: 1 });
        const seen = batch.results.map((item: Record<string, unknown>) => [
          item[shown],
          item.state,
          item.credits,
        ]);
        expect(seen).to.deep.equal([
          [shownValue(1), 'success', 1],
          [invalidShown, 'failed', 0],
          [shownValue(2), 'success', 1],
        ]);
        expect(batch.results[1].error).to.equal('invalid_url');
        expect(batch.results[1].message).to.match(/You were not charged\.$/);
      });

      it('complete the batch at once when no entry is valid', async () => {
        const { body } = await submit([invalidEntry, invalidEntry], { on_invalid: 'skip' });
        expect(body).to.include({ status: 'failed', credits_remaining: 100 });
      });

      it('show the reference and the submission wherever the batch appears', async () => {
        const options = { reference: 'r'.repeat(255), submission_id: randomUUID() };
        const { body } = await submit([entry(1), entry(2)], options);
        expect(body).to.include(options);
        expect(await service.ended(account.token, body.batch_id)).to.include(options);
        const path = `/batches?submission_id=${options.submission_id}`;
        const { body: listed } = await service.call(path, { token: account.token });
        expect(listed).to.include({ total: 1 });
        expect(listed.data[0]).to.include({ batch_id: body.batch_id, ...options });
        const tooLong = { reference: 'r'.repeat(256) };
        expect((await submit([entry(1), entry(2)], tooLong)).status).to.equal(422);
      });
    });
  }

  it('return the tags of queries, which distinguish equal queries', async () => {
    const query = { url: 'rank-7.example', keyword: 'shoes' };
    const queries = [{ ...query, tag: 'a' }, { ...query, tag: 'b' }, query, { ...query, country: 'us' }];
    const { token } = account;
    const { body } = await service.call('/keyword-track', { token, body: { queries, dedupe: true } });
    expect(body).to.include({ total: 3, duplicates: 1 });
    const { results } = await service.ended(token, body.batch_id);
    expect(results.map(({ tag }: { tag: string | null }) => tag)).to.deep.equal(['a', 'b', null]);
  });

  it('reject a single invalid query, because a single check has no positions to keep', async () => {
    const body = { queries: [{ url: 'rank-7.example' }], on_invalid: 'skip' };
    const { status, body: answer } = await service.call('/keyword-track', { token: account.token, body });
    expect([status, Object.keys(answer.errors)]).to.deep.equal([422, ['queries.0.keyword']]);
  });

  it('allow entries of any JSON type, and report or skip them', async () => {
    const odd = [null, '', 5, [], [[1]], {}, true, { keyword: null }];
    for (const [path, field] of [
      ['/keyword-track', 'queries'],
      ['/check/bulk', 'urls'],
      ['/http-status/bulk', 'urls'],
    ] as const) {
      const send = (on_invalid: string) =>
        service.call(path, { token: account.token, body: { [field]: odd, on_invalid } });
      const { status, body } = await send('skip');
      expect([status, body.total, body.status], path).to.deep.equal([202, odd.length, 'failed']);
      const refused = await send('reject');
      expect(refused.status).to.equal(422);
      const named = new Set(Object.keys(refused.body.errors).map((at) => at.split('.')[1]));
      expect(named.size, path).to.equal(odd.length);
    }
  });

  it('report all errors at once, including those of other fields', async () => {
    const getErrors = async (path: string, body: object) => {
      const answer = await service.call(path, { token: account.token, body });
      return [answer.status, Object.keys(answer.body.errors ?? {}).sort()];
    };
    const webhook_url = 'ftp://nowhere';
    expect(await getErrors('/http-status/bulk', { urls: [], webhook_url, dedupe: 'x' })).to.deep.equal([
      422,
      ['dedupe', 'urls', 'webhook_url'],
    ]);
    expect(await getErrors('/check/bulk', { urls: ['x'], webhook_url, reference: 5 })).to.deep.equal([
      422,
      ['reference', 'urls.0', 'webhook_url'],
    ]);
    expect(await getErrors('/http-status', { url: 'ftp://x', user_agent: 'nope' })).to.deep.equal([
      422,
      ['url', 'user_agent'],
    ]);
    expect(await getErrors('/webhooks/test', { webhook_url, type: 'nope' })).to.deep.equal([
      422,
      ['type', 'webhook_url'],
    ]);
    const query = { keyword: 5, url: 'com', country: 'XX', competitors: ['co.uk'] };
    expect(await getErrors('/keyword-track', { queries: [query], webhook_url })).to.deep.equal([
      422,
      ['queries.0.competitors.0', 'queries.0.country', 'queries.0.keyword', 'queries.0.url', 'webhook_url'],
    ]);
  });
});
