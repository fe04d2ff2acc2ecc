import { expect } from 'chai';
import type { TestAccount } from '../support/accounts.ts';
import { useDns } from '../support/dns.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';
import { openWorld, type World } from '../support/world.ts';
import { forbiddenIpv4, forbiddenIpv6, hostileZone, hostOf, listSpellings } from './addresses.ts';

// Every fourth address is used, so that each class is included.
const literals = [...forbiddenIpv4, ...forbiddenIpv6]
  .filter((_, index) => index % 4 === 0)
  .map(hostOf)
  .concat(listSpellings('169.254.169.254'))
  .map((host) => `http://${host}/`);
const names = Object.keys(hostileZone).filter((_, index) => index % 4 === 0);

describe('the service where every address is this machine', () => {
  const dns = useDns({ ...hostileZone, 'public.test': { a: ['11.0.0.1'] } });
  const service = useService(() => ({ TARGET_ALLOW_CIDRS: '', DNS_SERVERS: dns.server }), { worker: true });
  let account: TestAccount;
  let world: World;

  before(async () => {
    account = await service.account(1000);
    world = await openWorld();
  });

  beforeEach(() => world.clear());

  after(() => world.close());

  const post = (path: string, body: object) => service.call(path, { token: account.token, body });

  it('rejects every spelling at submission, as a target and as a receiver', async () => {
    const urls = ['https://example.com/'];
    for (const url of literals) {
      const single = await post('/http-status', { url });
      expect([single.status, single.body.error], url).to.deep.equal([422, 'validation_failed']);
      const hooked = await post('/http-status/bulk', { urls, webhook_url: url });
      expect([hooked.status, Object.keys(hooked.body.errors)], url).to.deep.equal([422, ['webhook_url']]);
    }
    const bulk = await post('/http-status/bulk', { urls: literals });
    expect(Object.keys(bulk.body.errors)).to.have.lengthOf(Math.min(50, literals.length));
    expect(await service.credits(account.accountId)).to.equal(1000);
    expect(world.contacts).to.deep.equal([]);
  });

  it('checks no name and no redirect that leads to a private address, and refunds the credits', async () => {
    const hosts = names.map((name) => `http://${name}/`);
    const redirects = literals.map((url) => `http://11.0.0.1/to/${encodeURIComponent(url)}`);
    for (const url of [...hosts.slice(0, 6), ...redirects.slice(0, 6)]) {
      const { status, body } = await post('/http-status', { url });
      expect([status, Object.keys(body.errors ?? {})], url).to.deep.equal([422, ['url']]);
    }
    const { body: accepted } = await post('/http-status/bulk', { urls: [...hosts, ...redirects] });
    const batch = await service.ended(account.token, accepted.batch_id);
    for (const item of batch.results) {
      // If no parser accepts a redirect, the answer is the redirect itself.
      const isUnreadable = item.error === 'invalid_redirect' && item.status === 302;
      if (!isUnreadable) expect(item, item.url).to.include({ state: 'failed', error: 'target_not_allowed' });
    }
    expect(batch.failed).to.be.greaterThan(batch.total * 0.9);
    expect(await service.credits(account.accountId)).to.equal(1000 - batch.successful);
    expect(new Set(world.contacts)).to.deep.equal(new Set(['11.0.0.1 80']));
  });

  it('delivers to no name that leads to a private address, and follows no redirect there', async () => {
    const receivers = [
      ...names.slice(0, 12).map((name) => `http://${name}/hook`),
      `http://11.0.0.1/to/${encodeURIComponent('http://169.254.169.254/')}`,
      'http://public.test:8080/hook',
    ];
    await Promise.all(
      receivers.map(async (webhookUrl) => {
        const body = { urls: ['shoes'], on_invalid: 'skip', webhook_url: webhookUrl };
        expect((await post('/http-status/bulk', body)).status, webhookUrl).to.equal(202);
      }),
    );
    const attempts = await eventually(async () => {
      const rows = await service.db
        .selectFrom('deliveries')
        .innerJoin('attempts', 'attempts.eventId', 'deliveries.eventId')
        .select(['url', 'attempts.status', 'attempts.error'])
        .where('attemptNo', '=', 1)
        .execute();
      return rows.length === receivers.length ? rows : null;
    });
    for (const { url, status, error } of attempts) {
      if (url.startsWith('http://11.0.0.1/')) expect(status).to.equal(302);
      else if (url.startsWith('http://public.test')) expect(status).to.equal(200);
      else expect(error, url).to.equal('target_not_allowed');
    }
    expect(new Set(world.contacts)).to.deep.equal(new Set(['11.0.0.1 80', '11.0.0.1 8080']));
  });

  it('checks public targets', async () => {
    const { body } = await post('/http-status', { url: 'http://172.32.0.1:8000/' });
    expect(body).to.include({ status: 200 });
    expect(world.contacts).to.deep.equal(['172.32.0.1 8000']);
  });
});
