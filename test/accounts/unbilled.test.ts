import { expect } from 'chai';
import { toUnits } from '../../accounts/allowance.ts';
import { unbilledByRefund } from '../../accounts/unbilled.ts';
import { itemErrors } from '../../schemas/failures.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { asSerper, startGoogle, useGoogle } from '../support/google.ts';
import { endedWithoutPauses } from '../support/jobs.ts';
import type { Answer, SeenRequest } from '../support/provider.ts';
import { TestService, useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

describe('the cost in allowance of checks without an answer', () => {
  const google = useGoogle();
  const limits = { SERP_REUSE_SECONDS: '0', RATE_LIMIT_PER_MINUTE: '600' };
  const service = useService(() => ({ ...google.env('serper'), ...limits }), { worker: true });
  const site = useSite((_req, res) => void res.writeHead(302, { Location: 'http://10.0.0.1/' }).end());

  /** Used units decay by about six a second, so the expected values allow for a slow machine. */
  const used = (token: string) => service.allowanceUsed(token);
  const query = { url: 'nobody.example', keyword: 'shoes', start_page: 1, end_page: 10 };
  /** Answers requests for pages 1 to 3, and fails for later pages. */
  const failAfterThree = ({ body }: SeenRequest): Answer => {
    const asked = JSON.parse(body);
    return (asked.page ?? 1) > 3 ? { status: 500, body: '' } : { body: asSerper(asked) };
  };

  it('is that of the pages bought for a single check', async () => {
    google.serper.willAnswer(failAfterThree);
    const { token, accountId } = await service.account(20);
    const answer = await service.call('/keyword-track', { token, body: { queries: [query] } });
    expect([answer.status, answer.body.error]).to.deep.equal([503, 'google_unreadable']);
    expect(await used(token)).to.be.within(toUnits({ upstreamPages: 2 }), toUnits({ upstreamPages: 3 }));
    expect(await service.credits(accountId)).to.equal(20);
  });

  it('is that of the pages bought for a batch', async () => {
    google.serper.willAnswer(failAfterThree);
    const { token } = await service.account(20);
    const queries = [query, { ...query, keyword: 'boots' }];
    const { body } = await service.call('/keyword-track', { token, body: { queries } });
    await service.ended(token, body.batch_id);
    const spent = await eventually(async () => (await used(token)) || null);
    expect(spent).to.be.at.least(toUnits({ upstreamPages: 5 }));
  });

  it('is 0 if the provider is down', async () => {
    google.let('serper', { status: 500, body: '' });
    const { token, accountId } = await service.account(20);
    const urls = Array.from({ length: 20 }, (_, n) => `https://indexed.example/${n}`);
    const { body } = await service.call('/check/bulk', { token, body: { urls } });
    expect(await endedWithoutPauses(service, token, { ...body, type: 'index' })).to.include({ failed: 20 });
    expect(await service.credits(accountId)).to.equal(20);
    expect(await used(token)).to.equal(0);
  });

  it('is 0 if an answer pays for the batch and its webhook', async () => {
    const { token } = await service.account(20);
    const body = { urls: ['http://127.0.0.1:1/'], webhook_url: `${site.url}/` };
    const submit = () => service.call('/http-status/bulk', { token, body });
    const accepted = await Promise.all(Array.from({ length: 10 }, submit));
    for (const { body: batch } of accepted) await service.ended(token, batch.batch_id);
    expect(await used(token)).to.equal(0);
  });

  it('is at least a second per request to a target', async () => {
    const { token } = await service.account(20);
    const body = { urls: Array.from({ length: 20 }, (_, n) => `${site.url}/${n}`) };
    const { body: accepted } = await service.call('/http-status/bulk', { token, body });
    await service.ended(token, accepted.batch_id);
    const spent = await eventually(async () => (await used(token)) || null);
    expect(spent).to.be.at.least(toUnits({ slotSeconds: 15, keptRows: 20 }));
  });

  it('includes, for every error, the received pages and the stored part of a long input', () => {
    const cost = { upstreamPages: 3, slotSeconds: 2 };
    const long = { url: `https://a.example/${'x'.repeat(2000)}` };
    for (const error of itemErrors) {
      const work = unbilledByRefund({ error, input: long }, cost, false);
      expect(work.upstreamPages, error).to.equal(cost.upstreamPages);
      expect(work.keptRows, error).to.be.at.least(3);
    }
    const input = { url: 'https://a.example/' };
    expect(toUnits(unbilledByRefund({ error: 'checker_unreachable', input }, cost, true))).to.equal(0);
  });

  it('is that of the pages bought before the daily limit was reached', async () => {
    const google = await startGoogle();
    afterTest(() => google.close());
    const env = {
      ...google.env('serper'),
      PROVIDER_DAILY_LIMIT: '40',
      SERP_REUSE_SECONDS: '0',
      RATE_LIMIT_PER_MINUTE: '600',
    };
    const service = await TestService.start(env, { worker: true });
    afterTest(() => service.stop());
    const { token, accountId } = await service.account(20);
    const queries = Array.from({ length: 10 }, (_, n) => ({
      url: 'nobody.example',
      keyword: `shoes ${n}`,
      end_page: 10,
    }));
    const { body } = await service.call('/keyword-track', { token, body: { queries } });
    await service.ended(token, body.batch_id);
    const charged = 20 - (await service.credits(accountId));
    const unpaid = google.serper.seen.length - 10 * charged;
    expect(unpaid).to.be.above(20);
    // The used units decay meanwhile. At least half of them are left for many minutes.
    const half = toUnits({ upstreamPages: unpaid / 2 });
    await eventually(async () => {
      const { body: allowance } = await service.call('/credits/allowance', { token });
      return allowance.used >= half || null;
    });
  });
});
