import { expect } from 'chai';
import type { HttpChecker } from '../../../checks/http/checker.ts';
import { NetworkHealth } from '../../../checks/http/network-health.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { createResolver } from '../../../net/resolver.ts';
import { useDns } from '../../support/dns.ts';
import { createTestChecker } from '../../support/target-tools.ts';
import { serve, useSite } from '../../support/web.ts';

const { signal } = new AbortController();
const context = { accountId: 1, signal };
const failures = { unsteady: 1, dead: 100 };
const strangers = Array.from({ length: 25 }, (_, index) => `stranger${index}.test`);

describe('the HTTP checker', () => {
  const site = useSite((req, res) => {
    if (req.url === '/silent') res.destroy();
    else if (req.url === '/there') res.writeHead(302, { Location: '/good' }).end();
    else res.end('good');
  });
  const failing = (name: keyof typeof failures) => () =>
    failures[name]-- > 0 ? ('servfail' as const) : { a: ['127.0.0.1'] };
  const inside = Object.fromEntries(strangers.map((name) => [name, { a: ['10.0.0.1'] }]));
  const dns = useDns({ 'unsteady.test': failing('unsteady'), 'dead.test': failing('dead'), ...inside });
  let slots: CheckSlots;
  let health: NetworkHealth;
  let checker: HttpChecker;

  beforeEach(() => {
    slots = new CheckSlots({ limit: 1, hostLimit: 1 });
    health = new NetworkHealth(async () => false);
    const resolver = createResolver([dns.server]);
    checker = createTestChecker({ resolver, slots, health, timeoutMs: 5_000 });
  });

  afterEach(() => {
    expect(slots.inFlight).to.equal(0);
  });

  const at = (path: string, host = '127.0.0.1') => ({
    input: { url: ` http://${host}:${site.port}${path}` },
    options: {},
  });
  const doubt = () => {
    for (let check = 0; check < 20; check++) health.observe(1, `host${check % 5}`, 'unreachable');
  };

  it('answers, and trusts its network again after a response', async () => {
    doubt();
    expect(await checker.isInDoubt()).to.equal(true);
    const outcome = await checker.check(at('/there'), context);
    expect(outcome).to.have.nested.property('answer.status', 200);
    expect(outcome).to.have.nested.property('answer.redirect_count', 1);
    expect(await checker.isInDoubt()).to.equal(false);
  });

  it('retries once after a fault of ours', async () => {
    expect(await checker.check(at('/good', 'unsteady.test'), context)).to.have.property('state', 'success');
    expect(await checker.check(at('/good', 'dead.test'), context)).to.include({
      error: 'checker_unreachable',
      isRetryable: true,
    });
  });

  it('fails at a timeout, and reports an abort when the process stops', async () => {
    for (const [reason, end] of [
      [new DOMException('over', 'TimeoutError'), 'checker_unreachable'],
      [new Error('stopping'), 'aborted'],
    ] as const) {
      const over = new AbortController();
      const check = checker.check(at('/silent'), { ...context, signal: over.signal });
      over.abort(reason);
      const ended = await check.then(
        (outcome) => ('error' in outcome ? outcome.error : outcome.state),
        ({ code }) => code,
      );
      expect(ended).to.equal(end);
    }
  });

  it('does not charge for silence while its own network is in doubt', async () => {
    expect(await checker.check(at('/silent'), context)).to.have.property('state', 'success');
    doubt();
    expect(await checker.check(at('/silent'), context)).to.include({ error: 'checker_unreachable' });
  });

  it('does not doubt its network because of names with private addresses, or closed ports', async () => {
    const closed = await serve(() => {});
    await closed.close();
    for (const [index, name] of strangers.entries()) {
      expect(await checker.check(at('/', name), context)).to.include({ error: 'target_not_allowed' });
      const nobody = { ...at('/'), input: { url: `http://127.0.4.${index + 1}:${closed.port}/` } };
      expect(await checker.check(nobody, context)).to.have.nested.property('answer.error', 'connect_refused');
    }
    expect(await checker.isInDoubt()).to.equal(false);
  });

  it('reports that it is busy when the caller cannot wait', async () => {
    const hold = await slots.acquire({ accountId: 2, host: null, signal });
    const gaveUp = { accountId: 1, signal: AbortSignal.timeout(20) };
    expect(await checker.check(at('/good'), gaveUp)).to.include({ error: 'checker_unreachable' });
    expect(await checker.withHostSlot('a', gaveUp, async () => [])).to.equal(null);
    hold?.release();
  });

  it('pauses a host that asks for it', async () => {
    const series = checker.startChunk({}, context);
    const check = series.prepare(at('/').input);
    check.pauseHost?.(20);
    expect(await check.acquireSlot(AbortSignal.timeout(20))).to.equal(null);
    series.close();
  });

  it('fetches a page as a check does, in a slot of the host', async () => {
    const read = checker.withHostSlot(`127.0.0.1:${site.port}`, context, async (fetchPage) => {
      expect(slots.inFlight).to.equal(1);
      const response = await fetchPage(new URL(at('/there').input.url), performance.now() + 5_000);
      return { text: String(await response.readBody(100)) };
    });
    expect(await read).to.deep.equal({ text: 'good' });
    expect(checker.parse('http://10.0.0.1/').problem).to.match(/its host is private/);
  });
});
