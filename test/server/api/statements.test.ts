import { expect } from 'chai';
import { PostgresProxy } from '../../support/postgres-proxy.ts';
import { useAccount, useService } from '../../support/service.ts';
import { useSite } from '../../support/web.ts';

describe('the SQL statements of checks', () => {
  const proxy = new PostgresProxy();
  // Registered before the hooks of `useService`, so the service still runs here.
  after(async () => {
    await service.addWorker();
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
    await proxy.close();
  });
  const service = useService({ RATE_LIMIT_PER_MINUTE: '100000' }, { pooler: proxy.open });
  const site = useSite();
  const account = useAccount(service, 100);

  /** Returns the minimum of several counts: background work sends statements as well. */
  async function leastStatements(check: (nth: number) => Promise<unknown>, rounds = 6): Promise<number> {
    const counts: number[] = [];
    for (let nth = 0; nth < rounds; nth++) {
      const before = proxy.statements;
      await check(nth);
      counts.push(proxy.statements - before);
    }
    return Math.min(...counts);
  }

  const check = async (headers = {}) => {
    const body = { url: `${site.url}/good` };
    const { status } = await service.call('/http-status', { token: account.token, body, headers });
    expect(status).to.equal(200);
  };

  it('are at most 10 for one URL, including the checks of all limits', async () => {
    expect(await leastStatements(() => check())).to.be.at.most(10);
  });

  it('are at most five more with an Idempotency-Key', async () => {
    expect(await leastStatements((nth) => check({ 'Idempotency-Key': `check ${nth}` }))).to.be.at.most(15);
  });

  it('are at most 13 for a batch of 2,000 URLs', async () => {
    const urls = Array.from({ length: 2000 }, (_, nth) => `https://a.invalid/${nth}`);
    const accounts = await Promise.all(Array.from({ length: 3 }, () => service.account(2000)));
    // Records the last use of each token now, so that the measured requests do not.
    for (const { token } of accounts) await service.call('/credits', { token });
    const batchIds: string[] = [];
    const statements = await leastStatements(async (nth) => {
      const { status, body } = await service.call('/http-status/bulk', { ...accounts[nth], body: { urls } });
      expect(status).to.equal(202);
      batchIds.push(body.batch_id);
    }, accounts.length);
    for (const [nth, id] of batchIds.entries())
      await service.call(`/batch/${id}/cancel`, { ...accounts[nth], method: 'POST' });
    expect(statements).to.be.at.most(13);
  });
});
