import { expect } from 'chai';
import { HttpChecker } from '../../../checks/http/checker.ts';
import { NetworkHealth } from '../../../checks/http/network-health.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { createAddressPolicy } from '../../../net/address.ts';
import { createResolver } from '../../../net/resolver.ts';
import { serveDns, type TestDns } from '../../support/dns.ts';
import { eventually } from '../../support/eventually.ts';
import { serve, serveHeld, type TestSite } from '../../support/web.ts';

const policy = createAddressPolicy(['127.0.0.0/8']);
const never = new AbortController().signal;
const hostLimit = 2;
const names = Array.from({ length: 20 }, (_, index) => `name${index}.test`);

const until = (isSo: () => boolean) => eventually(async () => isSo() || null, undefined, 5);

describe('the limit of a host', () => {
  let dns: TestDns;
  let sender: TestSite;
  let sent: number;
  let target: () => string;

  before(async () => {
    const everywhere = Object.fromEntries(
      names.map((name, index) => [name, { a: [`127.0.1.${index + 1}`], ttl: 0 }]),
    );
    const shared = Object.fromEntries(names.map((name) => [`same.${name}`, { a: ['127.0.0.1'], ttl: 0 }]));
    const allowed = Array.from({ length: 8 }, (_, index) => `127.0.2.${index + 1}`);
    const crowded = { 'crowded.test': { a: [...allowed, '10.0.0.1'] } };
    // Of the three only the last is listened at.
    const halfDead = { 'half-dead.test': { a: ['127.0.3.1', '127.0.3.2', '127.0.0.1'], ttl: 0 } };
    dns = await serveDns({ ...everywhere, ...shared, ...crowded, ...halfDead });
    sender = await serve((_req, res) => {
      sent += 1;
      res.writeHead(302, { Location: target() }).end();
    }, '0.0.0.0');
  });

  after(async () => {
    dns.close();
    await sender.close();
  });

  beforeEach(() => {
    sent = 0;
  });

  const checkerOf = (timeoutMs = 20_000, limit = 100) => {
    const slots = new CheckSlots({ limit, hostLimit });
    const resolver = createResolver([dns.server]);
    const health = new NetworkHealth(async () => true);
    const checker = new HttpChecker({ policy, resolver, slots, health, userAgent: 'test', timeoutMs });
    const check = (url: string, accountId = 1) =>
      checker.check({ input: { url }, options: {} }, { accountId, signal: never });
    return { slots, checker, check };
  };

  it('holds for those who are redirected there', async () => {
    const victim = await serveHeld();
    target = () => `${victim.url}/`;
    const { check, slots } = checkerOf();
    const checks = names.map((name) => check(`http://${name}:${sender.port}/`));
    await until(() => sent === names.length && victim.held() === hostLimit);
    victim.letGo();
    for (const outcome of await Promise.all(checks)) {
      expect(outcome).to.have.nested.property('answer.status', 200);
      expect(outcome).to.have.nested.property('answer.redirect_count', 1);
    }
    expect(victim.most()).to.be.at.most(hostLimit);
    expect(slots.inFlight).to.equal(0);
    await victim.close();
  });

  it('refuses a name that leads to an address that is not allowed, beyond those that are counted too', async () => {
    const { check } = checkerOf();
    const outcome = await check(`http://crowded.test:${sender.port}/`);
    expect(outcome).to.include({ state: 'failed', error: 'target_not_allowed' });
    expect(sent).to.equal(0);
  });

  it('holds four times over for an address that many names lead to, three times for one account', async () => {
    const victim = await serveHeld();
    const { check } = checkerOf();
    const go = (accountId: number, to = names) =>
      to.map((name) => check(`http://same.${name}:${victim.port}/`, accountId));
    const checks = go(1);
    await until(() => victim.held() === 3 * hostLimit);
    checks.push(...go(2, names.slice(10)));
    // One place is kept for whoever holds none there.
    await until(() => victim.held() === 4 * hostLimit - 1);
    checks.push(...go(3, names.slice(0, 10)));
    await until(() => victim.held() === 4 * hostLimit);
    victim.letGo();
    for (const outcome of await Promise.all(checks)) expect(outcome).to.have.property('state', 'success');
    expect(victim.most()).to.equal(4 * hostLimit);
    await victim.close();
  });

  it('is held at the address that is tried, one after the other until a server is met', async () => {
    const there: string[] = [];
    const sockets = new Set<unknown>();
    const site = await serve((req, res) => {
      sockets.add(req.socket);
      res.end('good');
    });
    const { checker, slots } = checkerOf();
    const series = checker.series({}, { accountId: 1, signal: never });
    const url = `http://half-dead.test:${site.port}/`;
    for (let nth = 0; nth < 2; nth++) {
      const check = series.prepare({ url });
      const slot = await check.enter(never);
      if (!slot) throw new Error('no slot');
      const goTo = slot.goTo.bind(slot);
      slot.goTo = async (...asked) => {
        const address = await goTo(...asked);
        there.push(address);
        return address;
      };
      const outcome = await check.try(slot);
      expect(outcome).to.have.nested.property('answer.status', 200);
      slot.release();
    }
    expect(there.slice(0, 3)).to.deep.equal(['127.0.3.1', '127.0.3.2', '127.0.0.1']);
    expect(there[3]).to.equal('127.0.0.1');
    expect(sockets.size).to.equal(1);
    expect(slots.inFlight).to.equal(0);
    series.close();
    await site.close();
  });

  it('is counted where a connection goes, whatever the name leads to by then', async () => {
    let asked = 0;
    const moving = await serveDns({
      'moving.test': () => ({ a: [asked++ < 2 ? '127.0.0.1' : '10.0.0.1'], ttl: 0 }),
    });
    const site = await serve((_req, res) => res.end('good'));
    const slots = new CheckSlots({ limit: 1, hostLimit });
    const health = new NetworkHealth(async () => true);
    const resolver = createResolver([moving.server]);
    const checker = new HttpChecker({
      policy,
      resolver,
      slots,
      health,
      userAgent: 'test',
      timeoutMs: 5_000,
    });
    const request = { input: { url: `http://moving.test:${site.port}/` }, options: {} };
    expect(await checker.check(request, { accountId: 1, signal: never })).to.have.property(
      'state',
      'success',
    );
    moving.close();
    await site.close();
  });

  it('is no fault of the target where the wait is too long', async () => {
    const victim = await serveHeld();
    target = () => `${victim.url}/`;
    const { check, slots } = checkerOf();
    const holders = [check(`${victim.url}/1`, 2), check(`${victim.url}/2`, 2)];
    await until(() => victim.held() === hostLimit);
    const hurried = new HttpChecker({
      policy,
      resolver: createResolver([dns.server]),
      slots,
      health: new NetworkHealth(async () => true),
      userAgent: 'test',
      timeoutMs: 300,
    });
    const request = { input: { url: `http://${names[0]}:${sender.port}/` }, options: {} };
    expect(await hurried.check(request, { accountId: 1, signal: never })).to.include({
      error: 'checker_unreachable',
      retryAfterSeconds: 5,
    });
    victim.letGo();
    await Promise.all(holders);
    expect(slots.inFlight).to.equal(0);
    await victim.close();
  });

  it('is not waited for beyond the time of who asks, of which a check may have more', async () => {
    const victim = await serveHeld();
    target = () => `${victim.url}/`;
    const { checker, check, slots } = checkerOf();
    const holders = [check(`${victim.url}/1`, 2), check(`${victim.url}/2`, 2)];
    await until(() => victim.held() === hostLimit);
    const over = new AbortController();
    const context = { accountId: 1, signal: over.signal, deadlineMs: performance.now() + 24_000 };
    const input = { url: `http://${names[0]}:${sender.port}/` };
    const waiting = checker.check({ input, options: {} }, context);
    await until(() => sent === 1);
    // What `AbortSignal.timeout` does.
    over.abort(new DOMException('over', 'TimeoutError'));
    expect(await waiting).to.include({ state: 'failed', error: 'checker_unreachable' });
    expect(slots.inFlight).to.equal(hostLimit);
    victim.letGo();
    await Promise.all(holders);
    await victim.close();
  });
});
