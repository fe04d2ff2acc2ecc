import { expect } from 'chai';
import * as tokens from '../../../db/accounts/tokens.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { eventually } from '../../support/eventually.ts';
import { PostgresProxy } from '../../support/postgres-proxy.ts';
import { TestService } from '../../support/service.ts';
import { serveHeld, serveSite, type TestSite } from '../../support/web.ts';

describe('checks and Postgres', () => {
  let proxy: PostgresProxy;
  let service: TestService;
  let account: TestAccount;
  let site: TestSite;

  before(async () => {
    proxy = new PostgresProxy();
    site = await serveSite();
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '100000' }, { pooler: proxy.open });
    account = await service.account(100);
  });

  after(async () => {
    await service.addWorker();
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
    await proxy.close();
    await site.close();
  });

  /** The least of several: others of the process ask now and then. */
  async function leastStatements(check: (nth: number) => Promise<unknown>): Promise<number> {
    const counts: number[] = [];
    for (let nth = 0; nth < 6; nth++) {
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

  it('of one URL take 10 statements, all limits counted', async () => {
    expect(await leastStatements(() => check())).to.be.at.most(10);
  });

  it('take as many while another is in flight', async () => {
    const slow = await serveHeld();
    const first = service.call('/http-status', { token: account.token, body: { url: slow.url } });
    await eventually(async () => (slow.held() > 0 ? true : null));
    const statements = await leastStatements(() => check());
    slow.release();
    expect((await first).status).to.equal(200);
    await slow.close();
    expect(statements).to.be.at.most(10);
  });

  it('take five more with an Idempotency-Key', async () => {
    expect(await leastStatements((nth) => check({ 'Idempotency-Key': `check ${nth}` }))).to.be.at.most(15);
  });

  it('take one more by a token with a monthly limit', async () => {
    const rights = { creditsPerMonth: 100 };
    const token = await tokens.issue(service.db, account.accountId, 'limited', rights);
    expect(await leastStatements(() => check({ Authorization: `Bearer ${token}` }))).to.be.at.most(11);
  });

  const urls = Array.from({ length: 2000 }, (_, nth) => `https://a.invalid/${nth}`);
  /** Accepted from these tokens in turn, and canceled. */
  const acceptFrom = async (tokens: string[]) => {
    const accepted: Array<{ token: string; batchId: string }> = [];
    const statements = await leastStatements(async (nth) => {
      const token = tokens[nth % tokens.length] ?? '';
      const { status, body } = await service.call('/http-status/bulk', { token, body: { urls } });
      expect(status).to.equal(202);
      accepted.push({ token, batchId: body.batch_id });
    });
    for (const { token, batchId } of accepted)
      await service.call(`/batch/${batchId}/cancel`, { token, method: 'POST' });
    return statements;
  };

  it('of 2,000 URLs are accepted by 13 statements', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => service.account(2000)));
    // What a token was used for last is noted once a minute.
    for (const { token } of accounts) await service.call('/credits', { token });
    expect(await acceptFrom(accounts.map(({ token }) => token))).to.be.at.most(13);
  });

  it('are by one less where the account has its jobs', async () => {
    const { token } = await service.account(20_000);
    expect(await acceptFrom([token])).to.be.at.most(12);
  });
});
