import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { createAddressPolicy } from '../../net/address.ts';
import { createAgents } from '../../net/agent.ts';
import { fetchOnce } from '../../net/fetch.ts';
import { createResolver } from '../../net/resolver.ts';
import { type DnsAnswer, serveDns, type TestDns } from '../support/dns.ts';

describe('the guarded agents', () => {
  const strict = createAddressPolicy([]);
  let listener: Server;
  let port: number;
  let contacts = 0;
  let dns: TestDns;
  let rebinding: DnsAnswer[] = [];

  before(async () => {
    listener = createServer((socket) => {
      contacts += 1;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    port = typeof address === 'object' && address ? address.port : 0;
    dns = await serveDns({
      'private.test': { a: ['127.0.0.1'] },
      'mixed.test': { a: ['93.184.216.34', '127.0.0.1'] },
      'mixed6.test': { a: ['93.184.216.34'], aaaa: ['::1'] },
      'mapped.test': { aaaa: ['::ffff:127.0.0.1'] },
      'rebinding.test': () => rebinding.shift() ?? { a: ['127.0.0.1'], ttl: 0 },
    });
  });

  beforeEach(() => {
    contacts = 0;
  });

  after(() => {
    dns.close();
    listener.close();
  });

  async function codeOf(host: string, policy = strict): Promise<string | number> {
    const agents = createAgents({ policy, resolver: createResolver([dns.server]) });
    const deadlineMs = performance.now() + 2000;
    const request = { agents, signal: new AbortController().signal, deadlineMs };
    return fetchOnce(new URL(`http://${host}:${port}/`), request)
      .then(
        ({ status }) => status,
        ({ code }) => code as string,
      )
      .finally(() => agents.close());
  }

  for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '2130706433']) {
    it(`never connect to the literal ${host}`, async () => {
      expect(await codeOf(host)).to.equal('target_not_allowed');
      expect(contacts).to.equal(0);
    });
  }

  for (const name of ['private.test', 'mixed.test', 'mixed6.test', 'mapped.test', 'localhost']) {
    it(`never connect to what ${name} leads to`, async () => {
      expect(await codeOf(name)).to.equal('target_not_allowed');
      expect(contacts).to.equal(0);
    });
  }

  it('connect to the address that was looked at, however the name answers next time', async () => {
    rebinding = [
      { a: ['192.0.2.1'], ttl: 0 },
      { aaaa: [], ttl: 0 },
    ];
    expect(await codeOf('rebinding.test')).to.equal('target_not_allowed');
    expect(contacts).to.equal(0);
  });

  it('connect where an exception lets them', async () => {
    expect(await codeOf('127.0.0.1', createAddressPolicy(['127.0.0.0/8']))).to.equal(200);
    expect(await codeOf('private.test', createAddressPolicy(['127.0.0.0/8']))).to.equal(200);
    expect(contacts).to.equal(2);
  });

  it('say when a name is not there, a port is closed, a resolver fails', async () => {
    expect(await codeOf('nobody.test')).to.equal('dns_not_found');
    const agents = createAgents({ policy: createAddressPolicy(['127.0.0.0/8']), resolver: createResolver() });
    const request = { agents, signal: new AbortController().signal, deadlineMs: performance.now() + 2000 };
    const error = await fetchOnce(new URL('http://127.0.0.1:1/'), request).catch((thrown) => thrown);
    expect(error).to.include({ code: 'connect_refused' });
    agents.close();
  });
});
