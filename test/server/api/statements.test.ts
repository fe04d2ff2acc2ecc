import { expect } from 'chai';
import * as tokens from '../../../db/accounts/tokens.ts';
import { eventually } from '../../support/eventually.ts';
import { PostgresProxy } from '../../support/postgres-proxy.ts';
import { useAccount, useService } from '../../support/service.ts';
import { serveHeld, useSite } from '../../support/web.ts';

describe('the SQL statements of checks', () => {
  const proxy = new PostgresProxy();
  // The hooks of `useService` follow: the service still runs here.
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

  it('are 10 for one URL, including all limits', async () => {
    expect(await leastStatements(() => check())).to.be.at.most(10);
  });

  it('are as many while another check is in flight', async () => {
    const slow = await serveHeld();
    const first = service.call('/http-status', { token: account.token, body: { url: slow.url } });
    await eventually(async () => (slow.held() > 0 ? true : null));
    const statements = await leastStatements(() => check());
    slow.release();
    expect((await first).status).to.equal(200);
    await slow.close();
    expect(statements).to.be.at.most(10);
  });

  it('are five more with an Idempotency-Key', async () => {
    expect(await leastStatements((nth) => check({ 'Idempotency-Key': `check ${nth}` }))).to.be.at.most(15);
  });

  it('are one more for a token with a monthly limit', async () => {
    const rights = { creditsPerMonth: 100 };
    const token = await tokens.issue(service.db, account.accountId, 'limited', rights);
    expect(await leastStatements(() => check({ Authorization: `Bearer ${token}` }))).to.be.at.most(11);
  });

  const urls = Array.from({ length: 2000 }, (_, nth) => `https://a.invalid/${nth}`);
  /** Accepts and cancels one batch for each of these tokens. */
  const acceptFrom = async (tokens: string[]) => {
    const accepted: Array<{ token: string; batchId: string }> = [];
    const statements = await leastStatements(async (nth) => {
      const token = tokens[nth % tokens.length] ?? '';
      const { status, body } = await service.call('/http-status/bulk', { token, body: { urls } });
      expect(status).to.equal(202);
      accepted.push({ token, batchId: body.batch_id });
    }, 3);
    for (const { token, batchId } of accepted)
      await service.call(`/batch/${batchId}/cancel`, { token, method: 'POST' });
    return statements;
  };

  it('are 13 for a batch of 2,000 URLs', async () => {
    const accounts = await Promise.all(Array.from({ length: 3 }, () => service.account(2000)));
    // The last use of a token is recorded once a minute.
    for (const { token } of accounts) await service.call('/credits', { token });
    expect(await acceptFrom(accounts.map(({ token }) => token))).to.be.at.most(13);
  });

  it('are one fewer where the account already has jobs', async () => {
    const { token } = await service.account(10_000);
    expect(await acceptFrom([token])).to.be.at.most(12);
  });
});
