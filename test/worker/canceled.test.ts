import { expect } from 'chai';
import { sql } from 'kysely';
import { toUnits } from '../../accounts/allowance.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { asSerper, startGoogle } from '../support/google.ts';
import { TestService } from '../support/service.ts';
import { serve } from '../support/web.ts';

describe('a worker', () => {
  it('aborts the requests in flight of a canceled batch, and adds their cost to the allowance', async () => {
    let closed = 0;
    let asked = 0;
    const site = await serve((req) => {
      asked += 1;
      req.socket.once('close', () => {
        closed += 1;
      });
    });
    afterTest(() => site.close());
    const service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '600' }, { worker: true });
    afterTest(() => service.stop());
    const { token, accountId } = await service.account(10);
    const weight = async () => {
      const { rows } = await sql<{ weight: number }>`
        select weight from allowances where account_id = ${accountId}`.execute(service.db);
      return rows[0]?.weight ?? 0;
    };
    const urls = [1, 2, 3].map((page) => `${site.url}/${page}`);
    const { body } = await service.call('/http-status/bulk', { token, body: { urls } });
    await eventually(async () => (asked === 3 ? true : null));
    await service.call(`/batch/${body.batch_id}/cancel`, { token, method: 'POST' });
    // The connections are closed well before the timeout.
    await eventually(async () => (closed === 3 ? true : null));
    // This is more than the cost that the cancel itself adds for stored rows.
    await eventually(async () => (await weight()) > toUnits({ slotSeconds: 2 }) || null);
  });

  it('adds the pages bought for the searches of a canceled batch', async () => {
    const google = await startGoogle();
    afterTest(() => google.close());
    // Two pages arrive at once. The other pages do not arrive before the batch is canceled.
    google.serper.willAnswer(({ body }) => {
      const asked = JSON.parse(body);
      return { delayMs: asked.page > 2 ? 3_000 : 0, body: asSerper(asked) };
    });
    const env = { ...google.env('serper'), SERP_REUSE_SECONDS: '0', RATE_LIMIT_PER_MINUTE: '600' };
    const service = await TestService.start(env, { worker: true });
    afterTest(() => service.stop());
    const { token } = await service.account(100);
    const queries = Array.from({ length: 50 }, (_, nth) => ({
      ...{ url: 'nobody.example', keyword: `shoes ${nth}` },
      ...{ start_page: 1, end_page: 10 },
    }));
    const { body } = await service.call('/keyword-track', { token, body: { queries } });
    await eventually(async () => google.serper.seen.length >= 40 || null);
    await service.call(`/batch/${body.batch_id}/cancel`, { token, method: 'POST' });
    await eventually(async () => {
      const { body: allowance } = await service.call('/credits/allowance', { token });
      return allowance.used >= toUnits({ upstreamPages: 35 }) || null;
    });
  });

  it('adds the cost of a check that is refunded because of its caller', async () => {
    const site = await serve((_req, res) => {
      setTimeout(() => res.writeHead(302, { Location: 'http://10.0.0.1/' }).end(), 200);
    });
    afterTest(() => site.close());
    const service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '600' }, { worker: true });
    afterTest(() => service.stop());
    const { token, accountId } = await service.account(10);
    const body = { urls: [`${site.url}/`] };
    const { body: accepted } = await service.call('/http-status/bulk', { token, body });
    const { results } = await service.ended(token, accepted.batch_id);
    expect(results[0]).to.include({ error: 'target_not_allowed', credits: 0 });
    const spent = await eventually(async () => {
      const { rows } = await sql<{ weight: number }>`
        select weight from allowances where account_id = ${accountId}`.execute(service.db);
      return rows[0]?.weight ?? null;
    });
    expect(spent).to.be.above(0);
  });
});
