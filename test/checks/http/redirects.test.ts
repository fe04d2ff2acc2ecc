import { expect } from 'chai';
import { NetworkHealth } from '../../../checks/http/network-health.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { createResolver } from '../../../net/resolver.ts';
import { serveDns, useDns } from '../../support/dns.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestChecker } from '../../support/target-tools.ts';
import { serve, serveHeld, useSite } from '../../support/web.ts';

const never = new AbortController().signal;
const hostLimit = 2;
const names = Array.from({ length: 20 }, (_, index) => `name${index}.test`);

const until = (isSo: () => boolean) => eventually(async () => isSo() || null, undefined, 5);

describe('the limit of a host', () => {
  const allowed = Array.from({ length: 8 }, (_, index) => `127.0.2.${index + 1}`);
  const dns = useDns({
    ...Object.fromEntries(names.map((name, index) => [name, { a: [`127.0.1.${index + 1}`], ttl: 0 }])),
    'crowded.test': { a: [...allowed, '10.0.0.1'] },
    // A server listens at the last address only.
    'half-dead.test': { a: ['127.0.3.1', '127.0.3.2', '127.0.0.1'], ttl: 0 },
  });
  let sent: number;
  let target: () => string;
  const sender = useSite((_req, res) => {
    sent += 1;
    res.writeHead(302, { Location: target() }).end();
  }, '0.0.0.0');

  beforeEach(() => {
    sent = 0;
  });

  const createChecker = (
    timeoutMs = 20_000,
    slots = new CheckSlots({ limit: 100, hostLimit }),
    { server } = dns,
  ) => {
    const health = new NetworkHealth(async () => true);
    const checker = createTestChecker({ resolver: createResolver([server]), slots, health, timeoutMs });
    const check = (url: string, accountId = 1) =>
      checker.check({ input: { url }, options: {} }, { accountId, signal: never });
    return { slots, checker, check };
  };

  it('applies to redirected checks', async () => {
    const victim = await serveHeld();
    target = () => `${victim.url}/`;
    const { check, slots } = createChecker();
    const checks = names.map((name) => check(`http://${name}:${sender.port}/`));
    await until(() => sent === names.length && victim.held() === hostLimit);
    victim.release();
    for (const outcome of await Promise.all(checks)) {
      expect(outcome).to.have.nested.property('answer.status', 200);
      expect(outcome).to.have.nested.property('answer.redirect_count', 1);
    }
    expect(victim.most()).to.be.at.most(hostLimit);
    expect(slots.inFlight).to.equal(0);
    await victim.close();
  });

  it('rejects a name with a forbidden address, even after the eight addresses that are counted', async () => {
    const { check } = createChecker();
    const outcome = await check(`http://crowded.test:${sender.port}/`);
    expect(outcome).to.include({ state: 'failed', error: 'target_not_allowed' });
    expect(sent).to.equal(0);
  });

  it('counts at each address that is tried, until a server answers', async () => {
    const there: string[] = [];
    const sockets = new Set<unknown>();
    const site = await serve((req, res) => {
      sockets.add(req.socket);
      res.end('good');
    });
    const { checker, slots } = createChecker();
    const series = checker.startChunk({}, { accountId: 1, signal: never });
    const url = `http://half-dead.test:${site.port}/`;
    for (let nth = 0; nth < 2; nth++) {
      const check = series.prepare({ url });
      const slot = await check.acquireSlot(never);
      if (!slot) throw new Error('no slot');
      const goTo = slot.moveTo.bind(slot);
      slot.moveTo = async (...asked) => {
        const address = await goTo(...asked);
        there.push(address);
        return address;
      };
      const outcome = await check.attempt(slot);
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

  it('counts at the address of the connection, whatever the name resolves to by then', async () => {
    let asked = 0;
    const moving = await serveDns({
      'moving.test': () => ({ a: [asked++ < 2 ? '127.0.0.1' : '10.0.0.1'], ttl: 0 }),
    });
    const site = await serve((_req, res) => res.end('good'));
    const slots = new CheckSlots({ limit: 1, hostLimit });
    const { check } = createChecker(5_000, slots, moving);
    expect(await check(`http://moving.test:${site.port}/`)).to.have.property('state', 'success');
    moving.close();
    await site.close();
  });

  it('fails a check as a fault of ours when the wait is too long', async () => {
    const victim = await serveHeld();
    target = () => `${victim.url}/`;
    const { check, slots } = createChecker();
    const holders = [check(`${victim.url}/1`, 2), check(`${victim.url}/2`, 2)];
    await until(() => victim.held() === hostLimit);
    const { check: checkSoon } = createChecker(300, slots);
    expect(await checkSoon(`http://${names[0]}:${sender.port}/`)).to.include({
      error: 'checker_unreachable',
      retryAfterSeconds: 5,
    });
    victim.release();
    await Promise.all(holders);
    expect(slots.inFlight).to.equal(0);
    await victim.close();
  });

  it('makes a check wait no longer than its caller, and lets it abort when the process stops', async () => {
    const victim = await serveHeld();
    target = () => `${victim.url}/`;
    const { checker, check, slots } = createChecker();
    const holders = [check(`${victim.url}/1`, 2), check(`${victim.url}/2`, 2)];
    await until(() => victim.held() === hostLimit);
    const waitUntil = async (reason: Error) => {
      sent = 0;
      const over = new AbortController();
      const context = { accountId: 1, signal: over.signal, deadlineMs: performance.now() + 24_000 };
      const input = { url: `http://${names[0]}:${sender.port}/` };
      const waiting = checker.check({ input, options: {} }, context);
      await until(() => sent === 1);
      over.abort(reason);
      return waiting;
    };
    // `AbortSignal.timeout` aborts with the same error.
    const timeout = new DOMException('over', 'TimeoutError');
    expect(await waitUntil(timeout)).to.include({ state: 'failed', error: 'checker_unreachable' });
    expect(await waitUntil(new Error('stopping')).catch(({ code }) => code)).to.equal('aborted');
    expect(slots.inFlight).to.equal(hostLimit);
    victim.release();
    await Promise.all(holders);
    await victim.close();
  });
});
