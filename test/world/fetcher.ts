import { expect } from 'chai';
import { createAddressPolicy } from '../../net/address.ts';
import { createAgents } from '../../net/agent.ts';
import { fetchOnce } from '../../net/fetch.ts';
import { FetchError } from '../../net/fetch-error.ts';
import { createResolver } from '../../net/resolver.ts';
import { parseTarget } from '../../net/url.ts';
import { type DnsAnswer, useDns } from '../support/dns.ts';
import { checkTarget } from '../support/target-tools.ts';
import { words } from '../support/words.ts';
import { connectionsBegun, openWorld, type World } from '../support/world.ts';
import {
  forbiddenIpv4,
  forbiddenIpv6,
  hostileZone,
  hostOf,
  listSpellings,
  publicAddresses,
  tricks,
} from './addresses.ts';

describe('where every address is this machine', () => {
  const strict = createAddressPolicy([]);
  const lifted = createAddressPolicy(['0.0.0.0/0', '::/0']);
  let world: World;
  let rebinding: DnsAnswer[] = [];
  const dns = useDns({
    ...hostileZone,
    'public.test': { a: ['11.0.0.1'], aaaa: ['2606:4700:4700::1111'] },
    router: { a: ['192.168.0.1'] },
    'metadata.google.internal': { a: ['169.254.169.254'] },
    'rebinding.test': () => rebinding.shift() ?? { a: ['10.0.0.1'], ttl: 0 },
  });

  before(async () => {
    world = await openWorld();
  });

  beforeEach(() => world.clear());

  after(() => world.close());

  type How = (url: string, policy?: typeof strict) => Promise<string | number>;
  const toolsFor = (policy: typeof strict) => {
    const resolver = createResolver([dns.server]);
    const { signal } = new AbortController();
    return { policy, resolver, agents: createAgents({ policy, resolver }), signal };
  };

  /** Requests a URL as an HTTP check does, without the checks at submission. */
  const check: How = async (url, policy = strict) => {
    const resolver = createResolver([dns.server]);
    const outcome = await checkTarget(url, { policy, resolver, timeoutMs: 20_000 });
    return outcome.state === 'failed' ? outcome.error : (outcome.answer.error ?? outcome.answer.status);
  };

  /** Requests a URL as a delivery does. */
  const deliver: How = async (url, policy = strict) => {
    const tools = toolsFor(policy);
    const request = { ...tools, method: 'POST' as const, body: '{}', deadlineMs: performance.now() + 20_000 };
    try {
      const { status, discard } = await fetchOnce(new URL(url), request);
      discard();
      return status;
    } catch (error) {
      return error instanceof FetchError ? error.code : Promise.reject(error);
    } finally {
      tools.agents.close();
    }
  };

  /** Expects no contact, and no attempt to open a connection. */
  async function expectNoContact(act: () => Promise<unknown>): Promise<unknown> {
    world.clear();
    const before = connectionsBegun();
    const result = await act();
    expect(world.contacts).to.deep.equal([]);
    expect(connectionsBegun() - before).to.equal(0);
    return result;
  }

  const literals = [
    ...[...forbiddenIpv4, ...forbiddenIpv6].map(hostOf),
    ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1'].flatMap(listSpellings),
  ].map((host) => `http://${host}/`);

  for (const url of [...literals, ...tricks]) {
    it(`address: ${JSON.stringify(url)} is refused at submission and never contacted`, async () => {
      expect(parseTarget(url, strict).problem).to.be.a('string');
      if (!URL.canParse(url)) return;
      const { username, password } = new URL(url);
      // A URL with credentials is never requested, even at an allowed address.
      const isUnsent = username !== '' || password !== '';
      const refused = ['target_not_allowed', ...(isUnsent ? ['checker_unreachable', 'network_down'] : [])];
      expect(await expectNoContact(() => check(url))).to.be.oneOf(refused);
      expect(await expectNoContact(() => deliver(url))).to.be.oneOf(refused);
    });
  }

  it('address: the same ones are contacted without the policy', async () => {
    const urls = [...new Set(literals.filter((url) => URL.canParse(url)).map((url) => new URL(url).href))];
    let reached = 0;
    for (const url of urls) {
      world.clear();
      await check(url, lifted);
      reached += Math.min(1, world.contacts.length);
    }
    // Multicast, broadcast and link-local addresses without a zone have no route here either.
    expect(reached).to.be.greaterThan(urls.length * 0.85);
  });

  for (const name of Object.keys(hostileZone)) {
    it(`name: ${name} is never contacted`, async () => {
      expect(parseTarget(`http://${name}/`, strict).problem).to.equal(undefined);
      expect(await expectNoContact(() => check(`http://${name}/`))).to.equal('target_not_allowed');
      expect(await expectNoContact(() => deliver(`https://${name}:8443/`))).to.equal('target_not_allowed');
    });
  }

  const once = (answer: DnsAnswer): DnsAnswer[] => [answer, answer]; // for A, and for AAAA

  for (const [how, act] of [
    ['check', check],
    ['delivery', deliver],
  ] as const) {
    it(`rebinding: a ${how} is refused when a public name turns private`, async () => {
      rebinding = once({ a: ['11.0.0.1'], ttl: 0 });
      expect(await act('http://rebinding.test/')).to.equal(200);
      expect(world.contacts).to.deep.equal(['11.0.0.1 80']);
      expect(await expectNoContact(() => act('http://rebinding.test/'))).to.equal('target_not_allowed');
    });
  }

  it('rebinding: a name that turns private between two hops is refused', async () => {
    rebinding = once({ a: ['11.0.0.1'], ttl: 0 });
    expect(await check('http://rebinding.test/to/%2Fsecond')).to.equal('target_not_allowed');
    expect(world.contacts).to.deep.equal(['11.0.0.1 80']);
  });

  const redirectedTo = [
    ...literals.slice(0, forbiddenIpv4.length + forbiddenIpv6.length),
    ...listSpellings('127.0.0.1').map((host) => `http://${host}/`),
    ...Object.keys(hostileZone).map((name) => `http://${name}/`),
    ...[22, 25].map((port) => `http://11.0.0.2:${port}/`),
    '//127.0.0.1/',
    '\\\\10.0.0.1/',
    'http://localhost:6379/',
  ];
  for (const target of redirectedTo) {
    it(`redirect: to ${JSON.stringify(target)} goes no further`, async () => {
      const start = `http://11.0.0.1/to/${encodeURIComponent(target)}`;
      expect(await check(start)).to.be.oneOf(['target_not_allowed', 'invalid_redirect']);
      expect(world.contacts).to.deep.equal(['11.0.0.1 80']);
      world.clear();
      expect(await deliver(start)).to.equal(302);
      expect(world.contacts).to.deep.equal(['11.0.0.1 80']);
    });
  }

  const otherSchemes = words(`
    file:///etc/passwd gopher://127.0.0.1:6379/_FLUSHALL data:text/html,<h1>owned</h1> ftp://10.0.0.1/
    javascript:alert(1) dict://127.0.0.1:11211/stats ldap://10.0.0.1/ blob:http://127.0.0.1/x
    ws://127.0.0.1/ unix:/var/run/docker.sock http://user:secret@127.0.0.1/ http://user:secret@11.0.0.2/`);
  for (const target of otherSchemes) {
    it(`redirect: to ${target} is not followed`, async () => {
      const start = `http://11.0.0.1/to/${encodeURIComponent(target)}`;
      expect(await check(start)).to.equal('invalid_redirect');
      expect(await deliver(start)).to.equal(302);
      expect(world.contacts).to.deep.equal(['11.0.0.1 80', '11.0.0.1 80']);
      await expectNoContact(() => fetchOnce(new URL(target), requestFor()).catch((error) => error.code));
    });
  }

  const requestFor = () => ({ ...toolsFor(strict), deadlineMs: performance.now() + 20_000 });

  for (const address of publicAddresses) {
    it(`public: ${address} is contacted`, async () => {
      const url = `http://${hostOf(address)}/`;
      expect(parseTarget(url, strict).problem).to.equal(undefined);
      expect(await check(url)).to.equal(200);
      expect(await deliver(url)).to.equal(200);
      expect(world.contacts).to.deep.equal([`${address} 80`, `${address} 80`]);
    });
  }

  it('public: spellings, ports, names and redirects lead to the right address', async () => {
    const said = [
      ['http://184549377/', '11.0.0.1 80'],
      ['http://0xb000001:8080/', '11.0.0.1 8080'],
      ['http://013.0.0.1./', '11.0.0.1 80'],
      ['http://public.test:3000/', '11.0.0.1 3000'],
      ['http://PUBLIC.test./', '11.0.0.1 80'],
    ];
    for (const [url = '', contact] of said) {
      world.clear();
      expect(await check(url), url).to.equal(200);
      expect(world.contacts, url).to.deep.equal([contact]);
    }
    world.clear();
    expect(await check(`http://1.1.1.1/to/${encodeURIComponent('http://8.8.8.8:8000/')}`)).to.equal(200);
    expect(world.contacts).to.deep.equal(['1.1.1.1 80', '8.8.8.8 8000']);
  });
});
