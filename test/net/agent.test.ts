import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { type AddressPolicy, createAddressPolicy } from '../../net/address.ts';
import { createAgents } from '../../net/agent.ts';
import { fetchOnce } from '../../net/fetch.ts';
import { createResolver } from '../../net/resolver.ts';
import { type DnsAnswer, useDns } from '../support/dns.ts';
import { eventually } from '../support/eventually.ts';
import { useRawServer } from '../support/raw-server.ts';

describe('the guarded agents', () => {
  const strict = createAddressPolicy([]);
  const loopback = createAddressPolicy(['127.0.0.0/8', '::1/128']);
  const server = useRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  const contacts = () => server.connections() - earlier;
  let earlier: number;
  let rebinding: DnsAnswer[] = [];
  const dns = useDns({
    'private.test': { a: ['127.0.0.1'] },
    'mixed.test': { a: ['93.184.216.34', '127.0.0.1'] },
    'mixed6.test': { a: ['93.184.216.34'], aaaa: ['::1'] },
    'mapped.test': { aaaa: ['::ffff:127.0.0.1'] },
    'rebinding.test': () => rebinding.shift() ?? { a: ['127.0.0.1'], ttl: 0 },
  });

  beforeEach(() => {
    earlier = server.connections();
  });

  interface Way {
    policy?: AddressPolicy;
    to?: number;
    timeoutMs?: number;
  }

  async function fetchCode(
    host: string,
    { policy = strict, to = server.port, timeoutMs = 60_000 }: Way = {},
  ) {
    const agents = createAgents({ policy, resolver: createResolver([dns.server]) });
    const deadlineMs = performance.now() + timeoutMs;
    const request = { agents, signal: new AbortController().signal, deadlineMs };
    return fetchOnce(new URL(`http://${host}:${to}/`), request)
      .then(
        ({ status }) => status,
        ({ code }) => code as string,
      )
      .finally(() => agents.close());
  }

  for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '2130706433']) {
    it(`never connect to the literal ${host}`, async () => {
      expect(await fetchCode(host)).to.equal('target_not_allowed');
      expect(contacts()).to.equal(0);
    });
  }

  for (const name of ['private.test', 'mixed.test', 'mixed6.test', 'mapped.test', 'localhost']) {
    it(`never connect to the addresses of ${name}`, async () => {
      expect(await fetchCode(name)).to.equal('target_not_allowed');
      expect(contacts()).to.equal(0);
    });
  }

  it('connect to the verified address, whatever the name resolves to later', async () => {
    rebinding = [
      { a: ['192.0.2.1'], ttl: 0 },
      { aaaa: [], ttl: 0 },
    ];
    expect(await fetchCode('rebinding.test')).to.equal('target_not_allowed');
    expect(contacts()).to.equal(0);
  });

  it('connect to an address that the operator excepted', async () => {
    expect(await fetchCode('127.0.0.1', { policy: loopback })).to.equal(200);
    expect(await fetchCode('private.test', { policy: loopback })).to.equal(200);
    expect(contacts()).to.equal(2);
  });

  it('report an unknown name and a closed port', async () => {
    expect(await fetchCode('nobody.test')).to.equal('dns_not_found');
    expect(await fetchCode('127.0.0.1', { policy: loopback, to: 1 })).to.equal('connect_refused');
  });

  it('do not blame the resolver for a host that accepts no connection', async () => {
    const deaf = await listenDeaf();
    for (const host of ['private.test', 'localhost', '127.0.0.1']) {
      expect(await fetchCode(host, { policy: loopback, to: deaf.port, timeoutMs: 200 })).to.equal(
        'connect_timeout',
      );
    }
    await deaf.close();
  });
});

/** Opens a port that accepts no connection: its backlog is full, and its thread sleeps. */
async function listenDeaf(): Promise<{ port: number; close(): Promise<unknown> }> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen({ port: 0, backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`,
    { eval: true },
  );
  const [port] = await once(worker, 'message');
  await pause(50);
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  // The kernel accepts one connection more than the backlog.
  await eventually(async () => (fillers.filter((filler) => !filler.connecting).length >= 2 ? true : null));
  return {
    port,
    close: () => {
      for (const filler of fillers) filler.destroy();
      return worker.terminate();
    },
  };
}
