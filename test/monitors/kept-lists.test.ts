import { expect } from 'chai';
import { useAccount, useService } from '../support/service.ts';

describe('stored lists of monitors without credits', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '600' });
  const account = useAccount(service, 0, { isForEach: true });

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
  const createUrls = (entries: number, length: number, nth = 0) =>
    Array.from({ length: entries }, (_, index) => `https://a${nth}-${index}.example/`.padEnd(length, 'x'));
  const create = (urls: string[]) =>
    call('/monitors', { body: { name: 'M', type: 'http', urls, schedule: { every: 'day' } } });
  const used = () => service.allowanceUsed(account.token);

  it('are stored as long as the allowance permits, when created, replaced or deleted', async () => {
    const statuses: number[] = [];
    for (let nth = 0; nth < 5; nth++) {
      const { status, body } = await create(createUrls(2000, 600, nth));
      statuses.push(status);
      if (status !== 201) expect(body.error).to.equal('allowance_exhausted');
      else await call(`/monitors/${body.monitor.monitor_id}`, { method: 'DELETE' });
    }
    // Each list has 1.2 MB and costs 6,000 of 20,000 units. The last list costs more than what is left.
    expect(statuses).to.deep.equal([201, 201, 201, 201, 429]);
  });

  it('cost their size in allowance when they are replaced, and nothing when they stay', async () => {
    const { monitor } = (await create(createUrls(100, 100))).body;
    const before = await used();
    const change = (body: object) => call(`/monitors/${monitor.monitor_id}`, { method: 'PATCH', body });
    expect((await change({ name: 'N' })).status).to.equal(200);
    expect(await used()).to.be.at.most(before);
    expect((await change({ urls: createUrls(2000, 600) })).status).to.equal(200);
    expect(await used()).to.be.within(before + 5000, before + 7000);
    await service.setAllowanceUsed(account.accountId, 21_000);
    const refused = await change({ urls: createUrls(2000, 600, 1) });
    expect([refused.status, refused.body.error]).to.deep.equal([429, 'allowance_exhausted']);
  });

  it('may have the maximum length once in an account without credits', async () => {
    expect((await create(createUrls(2000, 2048))).status).to.equal(201);
  });
});
