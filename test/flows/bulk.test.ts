import { expect } from 'chai';
import { presetUserAgents } from '../../checks/http/user-agents.ts';
import { useService } from '../support/service.ts';
import { serve, useSite } from '../support/web.ts';

describe('a bulk HTTP request', () => {
  const service = useService({}, { worker: true });
  const site = useSite();

  it('is charged, queued, checked, polled and stored', async () => {
    const { token, accountId } = await service.account(100);
    const urls = ['/good', '/missing', '/soft', '/moved', '/loop', '/broken'].map((path) => site.url + path);
    urls.push('http://nobody.invalid/', 'http://127.0.0.1:1/');
    const accepted = await service.call('/http-status/bulk', { token, body: { urls, reference: 'october' } });
    expect(accepted.status).to.equal(202);
    expect(accepted.body).to.include({ success: true, total: 8, status: 'pending', credits_remaining: 92 });
    expect(accepted.headers.get('location')).to.equal(accepted.body.poll_url);

    const batch = await service.ended(token, accepted.body.batch_id);
    expect(batch).to.include({
      status: 'completed',
      total: 8,
      processed: 8,
      successful: 8,
      failed: 0,
      progress: '100%',
    });
    expect(batch).to.include({ reference: 'october', credits_charged: 8, credits_refunded: 0 });
    const found = batch.results.map((item: Record<string, unknown>) => [
      item.status,
      item.error,
      item.redirect_count,
    ]);
    expect(found).to.deep.equal([
      [200, null, 0],
      [404, null, 0],
      [200, null, 0],
      [200, null, 1],
      [302, 'redirect_loop', 10],
      [500, null, 0],
      [0, 'dns_not_found', 0],
      [0, 'connect_refused', 0],
    ]);
    expect(batch.results[2].is_soft404).to.equal(true);
    expect(batch.results.map((item: { url: string }) => item.url)).to.deep.equal(urls);
    expect(batch.summary).to.include({
      status_2xx: 3,
      status_4xx: 1,
      redirected: 2,
      soft404: 1,
      unreachable: 2,
    });
    expect(await service.credits(accountId)).to.equal(92);
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });

  it('requests every URL with the User-Agent that the batch names', async () => {
    const { token } = await service.account(2);
    const names: (string | undefined)[] = [];
    const asked = await serve((req, res) => {
      names.push(req.headers['user-agent']);
      res.end();
    });
    const body = { urls: [`${asked.url}/1`, `${asked.url}/2`], user_agent: 'browser' };
    const accepted = await service.call('/http-status/bulk', { token, body });
    await service.ended(token, accepted.body.batch_id);
    expect(names).to.deep.equal([presetUserAgents.browser, presetUserAgents.browser]);
    await asked.close();
    await service.quiet();
  });
});
