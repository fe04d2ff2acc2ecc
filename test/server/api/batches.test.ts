import { expect } from 'chai';
import { useAccount, useService } from '../../support/service.ts';
import { useSite } from '../../support/web.ts';

describe('batches', () => {
  // Registered before the hooks of `useService`, so the service still runs here.
  after(async () => {
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });
  const service = useService({}, { worker: true });
  const site = useSite();
  const account = useAccount(service, 100, { isForEach: true });

  const submit = async (body: object) =>
    (await service.call('/http-status/bulk', { token: account.token, body })).body;
  const get = (path: string, token = account.token) => service.call(path, { token });
  const post = (path: string, token = account.token) => service.call(path, { token, method: 'POST' });

  it('show results when complete, partial results on request, or no results on request', async () => {
    const { batch_id: id } = await submit({ urls: [`${site.url}/good`, `${site.url}/missing`] });
    await service.ended(account.token, id);
    expect((await get(`/batch/${id}?results=none`)).body).to.not.have.property('results');
    expect((await get(`/batch/${id}?results=partial`)).body.results).to.have.lengthOf(2);
    expect((await get(`/batch/${id}?results=all`)).status).to.equal(422);
  });

  it('that have ended do not change when canceled', async () => {
    const { batch_id: id } = await submit({ urls: [`${site.url}/good`] });
    await service.ended(account.token, id);
    const canceled = await post(`/batch/${id}/cancel`);
    expect(canceled.status).to.equal(200);
    expect(canceled.body).to.include({ status: 'completed', canceled_at: null });
  });
});

describe('batches without a worker', () => {
  const service = useService();
  // Enough for three retries at once, so that none of them lacks credits.
  const account = useAccount(service, 1000);

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });

  it('are canceled once, with a full refund, and retried once', async () => {
    const urls = Array.from({ length: 60 }, (_, index) => `https://example.com/${index}`);
    const body = { urls: [...urls, 'shoes'], on_invalid: 'skip', follow_redirects: false, reference: 'r' };
    const { body: accepted } = await call('/http-status/bulk', { body });
    expect(accepted.credits_remaining).to.equal(940);
    const pending = await call(`/batch/${accepted.batch_id}`);
    expect(pending.body).to.include({ status: 'pending', processed: 1, progress: '1%', completed_at: null });
    expect(pending.body).to.not.have.property('results');
    expect(pending.headers.get('retry-after')).to.equal('2');
    expect((await call(`/batch/${accepted.batch_id}/retry`, { method: 'POST' })).body.error).to.equal(
      'batch_not_finished',
    );

    const canceled = await call(`/batch/${accepted.batch_id}/cancel`, { method: 'POST' });
    expect(canceled.body).to.include({
      status: 'failed',
      processed: 61,
      credits_charged: 60,
      credits_refunded: 60,
    });
    expect(canceled.body.canceled_at).to.be.a('string');
    expect(canceled.body.progress).to.equal('100%');
    expect(canceled.body.summary).to.include({ status_2xx: 0, canceled: 60, skipped: 1 });
    expect(await service.credits(account.accountId)).to.equal(1000);
    const { body: shown } = await call(`/batch/${accepted.batch_id}`);
    expect(shown.results[0]).to.include({ state: 'failed', error: 'canceled', credits: 0, url: urls[0] });

    const retries = await Promise.all(
      [1, 2, 3].map(() => call(`/batch/${accepted.batch_id}/retry`, { method: 'POST' })),
    );
    const [made] = retries.filter(({ status }) => status === 202);
    expect(retries.map(({ status }) => status).sort()).to.deep.equal([202, 409, 409]);
    expect(made?.body).to.include({
      total: 60,
      retry_of: accepted.batch_id,
      credits_remaining: 940,
      reference: 'r',
    });
    const [refused] = retries.filter(({ status }) => status === 409);
    expect(refused?.body).to.include({ error: 'already_retried', retried_as: made?.body.batch_id });
    const row = await service.db
      .selectFrom('batches')
      .select('options')
      .where('batchId', '=', made?.body.batch_id)
      .executeTakeFirstOrThrow();
    expect(row.options).to.deep.equal({ follow_redirects: false, user_agent: 'sonde' });
    await call(`/batch/${made?.body.batch_id}/cancel`, { method: 'POST' });
  });

  it('are not retried when no item failed on our side', async () => {
    const { body } = await call('/http-status/bulk', { body: { urls: ['shoes'], on_invalid: 'skip' } });
    const refused = await call(`/batch/${body.batch_id}/retry`, { method: 'POST' });
    // The guide promises this on the page about cancel and retry.
    expect([refused.status, refused.body.error]).to.deep.equal([422, 'validation_failed']);
  });

  it('leave a consistent ledger', async () => {
    const problems = await service.problems();
    expect(problems.filter((problem) => !problem.includes('http-checks'))).to.deep.equal([]);
  });
});
