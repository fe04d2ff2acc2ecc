import { expect } from 'chai';
import { createResolver } from '../../net/resolver.ts';
import { serveDns, useDns } from '../support/dns.ts';
import { eventually } from '../support/eventually.ts';

describe('the resolver', () => {
  const silent = { 'silent.test': 'silence' } as const;
  const dns = useDns({
    'both.test': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] },
    'short.test': { a: ['192.0.2.1'], ttl: 1 },
    'empty.test': { a: [], aaaa: [] },
    'four.test': { a: ['192.0.2.4'] },
    'failing.test': 'servfail',
    ...silent,
  });
  const all = [dns, useDns(silent), useDns(silent)];
  /**
   * Queries to one silent server and to three silent servers. They last until the timeout, so they are started first
   * and read last.
   */
  let ofSilence: Promise<string[]>;

  before(() => {
    const servers = all.map(({ server }) => server);
    ofSilence = Promise.all([resolveCode('silent.test'), resolveCode('silent.test', servers)]);
  });

  const resolveCode = (name: string, servers = [dns.server]) =>
    createResolver(servers)
      .resolve(name)
      .then(
        () => 'resolved',
        (error: { code: string }) => error.code,
      );

  it('returns every address, IPv4 first', async () => {
    expect(await createResolver([dns.server]).resolve('both.test')).to.deep.equal([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(await createResolver([dns.server]).resolve('FOUR.test.')).to.have.lengthOf(1);
  });

  it('distinguishes an unknown name from a failing resolver', async () => {
    expect(await resolveCode('nobody.test')).to.equal('dns_not_found');
    expect(await resolveCode('empty.test')).to.equal('dns_not_found');
    expect(await resolveCode('failing.test')).to.equal('dns_failed');
  });

  it('sends one query for concurrent calls, and another after the time to live', async () => {
    const resolver = createResolver([dns.server]);
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('short.test')));
    // The server gets one query for A and one for AAAA.
    expect(dns.asked.get('short.test')).to.equal(2);
    await eventually(async () => {
      await resolver.resolve('short.test');
      return dns.asked.get('short.test') === 4 ? true : null;
    });
  });

  it('does not cache a failure of the resolver', async () => {
    let isBroken = true;
    const flaky = await serveDns({ 'flaky.test': () => (isBroken ? 'servfail' : { a: ['192.0.2.9'] }) });
    const resolver = createResolver([flaky.server]);
    await resolver.resolve('flaky.test').catch(() => {});
    isBroken = false;
    expect(await resolver.resolve('flaky.test')).to.deep.equal([{ address: '192.0.2.9', family: 4 }]);
    flaky.close();
  });

  it('answers localhost and .invalid without a query', async () => {
    const resolver = createResolver([dns.server]);
    expect(await resolver.resolve('localhost')).to.deep.include({ address: '127.0.0.1', family: 4 });
    expect(await resolveCode('x.invalid')).to.equal('dns_not_found');
    expect(dns.asked.has('x.invalid')).to.equal(false);
  });

  it('gives up on silent servers, one or three, well before the deadline of a check', async () => {
    expect(await ofSilence).to.deep.equal(['dns_failed', 'dns_failed']);
  });
});
