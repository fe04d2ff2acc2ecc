import { expect } from 'chai';
import type { TestAccount } from '../../support/accounts.ts';
import { eventually } from '../../support/eventually.ts';
import { type CountedWay, countedWay } from '../../support/round-trips.ts';
import { TestService } from '../../support/service.ts';
import { serveHeld, serveSite, type TestSite } from '../../support/web.ts';

describe('checks and Postgres', () => {
  let way: CountedWay;
  let service: TestService;
  let account: TestAccount;
  let site: TestSite;

  before(async () => {
    way = countedWay();
    site = await serveSite();
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '100000' }, { pooler: way.to });
    account = await service.account(100);
  });

  after(async () => {
    await service.addWorker();
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
    await way.close();
    await site.close();
  });

  /** The least of several: others of the process ask now and then. */
  async function leastTrips(check: (nth: number) => Promise<unknown>): Promise<number> {
    const counts: number[] = [];
    for (let nth = 0; nth < 6; nth++) {
      const before = way.trips();
      await check(nth);
      counts.push(way.trips() - before);
    }
    return Math.min(...counts);
  }

  const check = async (headers = {}) => {
    const body = { url: `${site.url}/good` };
    const { status } = await service.call('/http-status', { token: account.token, body, headers });
    expect(status).to.equal(200);
  };

  it('of one URL ask and answer six times, all limits counted', async () => {
    expect(await leastTrips(() => check())).to.be.at.most(6);
  });

  it('do so while another is in flight', async () => {
    const slow = await serveHeld();
    const first = service.call('/http-status', { token: account.token, body: { url: slow.url } });
    await eventually(async () => (slow.held() > 0 ? true : null));
    const trips = await leastTrips(() => check());
    slow.letGo();
    expect((await first).status).to.equal(200);
    await slow.close();
    expect(trips).to.be.at.most(6);
  });

  it('take four more with an Idempotency-Key', async () => {
    expect(await leastTrips((nth) => check({ 'Idempotency-Key': `check ${nth}` }))).to.be.at.most(10);
  });

  it('of 2,000 URLs are accepted by asking five times, twice about the token', async () => {
    const { token } = await service.account(20_000);
    const urls = Array.from({ length: 2000 }, (_, nth) => `https://a.invalid/${nth}`);
    const batchIds: string[] = [];
    const trips = await leastTrips(async () => {
      const { status, body } = await service.call('/http-status/bulk', { token, body: { urls } });
      expect(status).to.equal(202);
      batchIds.push(body.batch_id);
    });
    expect(trips).to.be.at.most(5);
    for (const id of batchIds) await service.call(`/batch/${id}/cancel`, { token, method: 'POST' });
  });
});
