import { expect } from 'chai';
import { sql } from 'kysely';
import { toUnits } from '../../accounts/allowance.ts';
import { readConfig } from '../../config/config.ts';
import { startWorker } from '../../worker/main.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { asSerper, startGoogle } from '../support/google.ts';
import { silentLog } from '../support/log.ts';
import { TestService, useService } from '../support/service.ts';
import { serve, useSite } from '../support/web.ts';

describe('a worker whose batch is canceled', () => {
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
});

describe('a worker that reads pages', () => {
  const service = useService();
  const site = useSite((req, res) => res.setHeader('Content-Type', 'text/html').end(pages[req.url ?? '']));
  const pages: Record<string, string> = {
    '/short': '<title>Shoes</title>'.padEnd(60 * 1024, '<p>Good.'),
    '/long': '<title>Shoes</title>'.padEnd(1024 * 1024, '<div><p>'),
  };

  it('reads long pages on a thread, so that other accounts do not wait for them', async () => {
    const { token } = await service.account(10);
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    const worker = await startWorker(readConfig(service.env), silentLog);
    afterTest(() => worker.stop());
    process.on('worker', count);
    afterTest(() => process.off('worker', count));
    const check = async (path: string) => {
      const { body } = await service.call('/http-status/bulk', {
        token,
        body: { urls: [site.url + path] },
      });
      return eventually(async () => {
        const batch = await service.call(`/batch/${body.batch_id}`, { token });
        return batch.body.status === 'completed' ? threads : null;
      });
    };
    expect(await check('/short')).to.equal(0);
    expect(await check('/long')).to.equal(1);
  });
});
