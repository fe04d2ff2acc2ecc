import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BrotliDecompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAddressPolicy } from '../../net/address.ts';
import { type Agents, createAgents } from '../../net/agent.ts';
import { fetchOnce } from '../../net/fetch.ts';
import { createResolver } from '../../net/resolver.ts';
import { eventually } from '../support/eventually.ts';
import { serve, type TestSite } from '../support/web.ts';

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 } };

describe('a body that is let go of', () => {
  let bomb: Buffer;
  let site: TestSite;
  let agents: Agents;

  before(async () => {
    bomb = brotliCompressSync(Buffer.alloc(128 * 1024 * 1024), quick);
    site = await serve((_req, res) => {
      res.writeHead(404, { 'Content-Encoding': 'br', 'Content-Length': bomb.length }).end(bomb);
    });
  });

  beforeEach(() => {
    const resolver = createResolver();
    agents = createAgents({ policy: createAddressPolicy(['127.0.0.0/8']), resolver, keepAlive: true });
  });

  afterEach(() => {
    mock.restoreAll();
    agents.close();
  });
  after(() => site.close());

  it('is unpacked no further than it is worth, however little was sent', async () => {
    expect(bomb.length).to.be.below(16 * 1024);
    let unpacked = 0;
    const { push } = BrotliDecompress.prototype;
    mock.method(BrotliDecompress.prototype, 'push', function (this: BrotliDecompress, part: Buffer | null) {
      unpacked += part?.length ?? 0;
      return push.call(this, part);
    });
    const deadlineMs = performance.now() + 60_000;
    const signal = new AbortController().signal;
    const request = { agents, signal, deadlineMs };
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => fetchOnce(new URL(site.url), request)),
    );
    for (const response of responses) response.discard();
    await pause(500);
    expect(unpacked).to.be.below(8 * 1024 * 1024);
  });

  it('leaves no deadline behind, whether its length was told or not', async () => {
    const answers = await serve((req, res) => {
      if (req.url === '/told') res.setHeader('Content-Length', 5);
      res.writeHead(req.url === '/none' ? 204 : 200);
      res.end(req.url === '/none' ? undefined : 'hello');
    });
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    for (const path of ['/told', '/untold', '/none']) {
      const signal = new AbortController().signal;
      const request = { agents, signal, deadlineMs: performance.now() + 60_000 };
      (await fetchOnce(new URL(path, answers.url), request)).discard();
    }
    await eventually(async () => (timers() <= before ? true : null));
    await answers.close();
  });
});

describe('a body that is read', () => {
  const long = 'hello'.repeat(20_000);
  let site: TestSite;
  const policy = createAddressPolicy(['127.0.0.0/8']);
  const agents = createAgents({ policy, resolver: createResolver() });

  before(async () => {
    site = await serve((req, res) => {
      if (req.url === '/packed') res.setHeader('Content-Encoding', 'gzip').end(gzipSync('hello'));
      else res.end(({ '/small': 'hello', '/none': '' } as Record<string, string>)[req.url ?? ''] ?? long);
    });
  });

  after(async () => {
    mock.restoreAll();
    agents.close();
    await site.close();
  });

  it('is put together once, if it came in pieces, and is no longer than was asked', async () => {
    const signal = new AbortController().signal;
    const concat = mock.method(Buffer, 'concat');
    for (const [bytesMax, length] of [
      [1024, 1024],
      [1024 * 1024, 100_000],
    ] as const) {
      const request = { agents, signal, deadlineMs: performance.now() + 60_000 };
      const response = await fetchOnce(new URL(site.url), request);
      expect(await response.readBody(bytesMax)).to.have.lengthOf(length);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(concat.mock.calls.filter(({ result }) => (result?.length ?? 0) > 1000)).to.have.lengthOf(1);
  });

  it('is told as it is where it came in one piece, packed or not', async () => {
    for (const path of ['/small', '/packed', '/none']) {
      const request = {
        agents,
        signal: new AbortController().signal,
        deadlineMs: performance.now() + 60_000,
      };
      const response = await fetchOnce(new URL(path, site.url), request);
      expect(String(await response.readBody(1024)), path).to.equal(path === '/none' ? '' : 'hello');
    }
  });
});
