import { expect } from 'chai';
import { checkHttpStatus } from '../../checks/http-status.ts';
import type { Outcome } from '../../checks/outcome.ts';
import { Siblings } from '../../checks/page-findings.ts';
import { createAddressPolicy } from '../../net/address.ts';
import { createAgents } from '../../net/agent.ts';
import { createResolver } from '../../net/resolver.ts';
import type { HttpStatusAnswer } from '../../schemas/http-status.ts';
import { type behaviours, type HostileServer, serveHostile } from '../support/hostile.ts';

const policy = createAddressPolicy(['127.0.0.0/8']);
const timeoutMs = 700;

describe('hostile targets', () => {
  let server: HostileServer;

  before(async () => {
    server = await serveHostile();
  });

  after(() => server.close());

  async function check(url: string): Promise<Outcome<HttpStatusAnswer>> {
    const agents = createAgents({ policy, resolver: createResolver() });
    const signal = new AbortController().signal;
    const tools = { policy, agents, siblings: new Siblings(), userAgent: 'test', timeoutMs, signal };
    try {
      return await checkHttpStatus({ url, followRedirects: true }, tools);
    } finally {
      agents.close();
    }
  }

  type Expected = [behaviour: keyof typeof behaviours, status: number, error: string | null];
  const answers: Expected[] = [
    ['silent', 0, 'response_timeout'],
    ['reset', 0, 'connection_reset'],
    ['close', 0, 'connection_reset'],
    ['garbage', 0, 'invalid_response'],
    ['status-000', 0, 'invalid_response'],
    ['status-999', 999, null],
    ['status-2000', 0, 'invalid_response'],
    ['half-headers', 0, 'response_timeout'],
    ['dripping-headers', 0, 'response_timeout'],
    ['header-flood', 0, 'invalid_response'],
    ['early-hints-flood', 0, 'invalid_response'],
    ['negative-length', 0, 'invalid_response'],
    ['two-lengths', 0, 'invalid_response'],
    ['many-headers', 200, null],
    ['endless-body', 200, null],
    ['dripping-body', 200, null],
    ['gzip-bomb', 200, null],
    ['brotli-bomb', 200, null],
    ['false-gzip', 200, null],
    ['unknown-coding', 200, null],
    ['short-length', 200, null],
    ['long-length', 200, null],
    ['broken-chunks', 200, null],
    ['no-content-with-body', 204, null],
    ['unknown-charset', 200, null],
    ['null-bytes', 200, null],
    ['two-responses', 404, null],
    ['to-data', 302, 'invalid_redirect'],
    ['to-file', 302, 'invalid_redirect'],
    ['to-gopher', 302, 'invalid_redirect'],
    ['to-credentials', 302, 'invalid_redirect'],
    ['to-nowhere', 302, 'invalid_redirect'],
    ['to-long', 302, 'invalid_redirect'],
    ['to-nothing', 302, null],
  ];

  for (const [behaviour, status, error] of answers) {
    it(`${behaviour}: ${error ?? status}, within the deadline`, async () => {
      const startedMs = performance.now();
      const outcome = await check(server.url(behaviour));
      expect(outcome.state).to.equal('success');
      const { answer } = outcome as Extract<typeof outcome, { state: 'success' }>;
      expect([answer.status, answer.error]).to.deep.equal([status, error]);
      expect(Buffer.byteLength(JSON.stringify(answer))).to.be.below(4097);
      expect(performance.now() - startedMs).to.be.below(timeoutMs + 500);
    });
  }

  it('to-metadata: a redirect to a private address is no answer', async () => {
    expect(await check(server.url('to-metadata'))).to.include({
      state: 'failed',
      error: 'target_not_allowed',
    });
  });

  it('a flood of a hundred bodies at once leaves memory bounded', async function () {
    this.timeout(20_000);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const urls = Array.from({ length: 100 }, (_, index) =>
      server.url(index % 2 ? 'gzip-bomb' : 'endless-body'),
    );
    await Promise.all(urls.map(check));
    // A hundred bodies of at most 1 MiB, decoded and once more as text.
    expect((process.memoryUsage().rss - before) / 1024 / 1024).to.be.below(600);
  });
});
