import { once } from 'node:events';
import tls from 'node:tls';
import { expect } from 'chai';
import { checkHttpStatus } from '../../../checks/http/http-status.ts';
import type { Outcome } from '../../../checks/outcome.ts';
import { Siblings } from '../../../checks/page/findings.ts';
import { createAddressPolicy } from '../../../net/address.ts';
import { createAgents } from '../../../net/agent.ts';
import { createResolver } from '../../../net/resolver.ts';
import type { HttpStatusAnswer } from '../../../schemas/http-status.ts';
import { lateAnswer } from '../../support/hostile/answers.ts';
import { pages } from '../../support/hostile/pages.ts';
import { testAuthority, tlsServers } from '../../support/hostile/tls.ts';
import { behaviours, type HostileServer, serveHostile } from '../../support/hostile.ts';
import { targetTools } from '../../support/target-tools.ts';

const policy = createAddressPolicy(['127.0.0.0/8']);
/** For those that last until the deadline; the others end by a limit, which takes a busy machine a while. */
const shortMs = 3000;
const timeoutMs = 60_000;
const answerBytesMax = 4096;

type Name = keyof typeof behaviours;
type Answered = [status: number, error: string | null];

const none = (error: string): Answered => [0, error];
const given = (status: number, error: string | null = null): Answered => [status, error];

/** What a check answers: the status when one was given, else why not. */
const expected: Record<string, Answered> = {
  ...all('connection_reset', 'close reset reset-in-status-line reset-in-headers close-in-headers'),
  ...all('response_timeout', 'silent half-headers dripping-headers processing-drip'),
  ...all('invalid_response', 'garbage endless-noise http-0.9 http-2 shoutcast ssh switching-protocols'),
  ...all(
    'invalid_response',
    'status-000 status-2000 status-negative status-20 status-word header-no-colon header-space header-bare-cr',
  ),
  ...all('invalid_response', 'continue-flood early-hints-flood'),
  ...all('invalid_response', 'huge-length negative-length word-length two-lengths'),
  ...all('headers_too_large', 'status-endless-reason header-flood header-endless to-longer-than-headers'),
  'header-bare-lf': given(200),
  'to-null': given(404),
  'reset-in-body': given(404),
  'status-999': given(999),
  'status-bare': given(204),
  'early-hints-once': given(404),
  'no-content-with-body': given(204),
  'not-modified-with-body': given(304),
  'reset-content-with-body': given(205),
  'two-responses': given(404),
  'two-responses-late': given(404),
  'endless-error': given(500),
  'to-itself': given(302, 'redirect_loop'),
  'to-the-next': given(302, 'too_many_redirects'),
  'to-white-space': given(302, 'redirect_loop'),
  'to-data': given(302, 'invalid_redirect'),
  'to-file': given(302, 'invalid_redirect'),
  'to-gopher': given(302, 'invalid_redirect'),
  'to-javascript': given(302, 'invalid_redirect'),
  'to-credentials': given(302, 'invalid_redirect'),
  'to-half-an-address': given(302, 'invalid_redirect'),
  'to-port-99999': given(302, 'invalid_redirect'),
  'to-long': given(302, 'invalid_redirect'),
  'to-two-places': given(302, 'invalid_redirect'),
  'to-nothing': given(302),
  'to-300': given(300),
  'to-304': given(304),
  'to-proxy': given(305),
};

/** Whatever comes after good headers changes nothing about the status. */
const wellBegun = `
  http-9.9 reset-after-headers status-long-reason many-headers header-null header-folded header-latin cookie-flood short-length long-length big-length
  length-and-chunks two-responses-in-body gzip-bomb brotli-bomb deflate-bomb raw-deflate-bomb nested-bomb chained-codings hundred-codings
  upper-case-coding false-gzip false-brotli cut-gzip gzip-and-more empty-gzip unknown-coding endless-body endless-image
  dripping-body dripping-gzip held-body broken-chunks huge-chunk overlong-chunk negative-chunk unfinished-chunks
  chunk-extensions endless-trailers dripping-chunks chunked-twice unknown-transfer unknown-charset charset-flood
  false-utf-16 utf-7 utf-32 invalid-utf-8 two-charsets null-bytes type-is-garbage to-final-without-end final`;
for (const name of [...words(wellBegun), ...Object.keys(pages)]) expected[name] = given(200);

/** These last until the deadline, so they run side by side. */
const lasting = words(`
  silent half-headers dripping-headers processing-drip dripping-body dripping-gzip dripping-chunks held-body`);

const deadlineOf = (name: string) => (lasting.includes(name) ? shortMs : timeoutMs);

describe('hostile targets', () => {
  let server: HostileServer;
  const begun = new Map<string, Promise<{ answer: HttpStatusAnswer; tookMs: number }>>();

  before(async () => {
    server = await serveHostile();
    for (const name of lasting) begun.set(name, timed(name));
  });

  after(() => server.close());

  const agentsOf = (keepAlive = false) => createAgents({ policy, resolver: createResolver(), keepAlive });

  async function check(
    url: string,
    { agents = agentsOf(), deadlineMs = timeoutMs } = {},
  ): Promise<Outcome<HttpStatusAnswer>> {
    const signal = new AbortController().signal;
    const tools = {
      policy,
      agents,
      accountId: 1,
      siblings: new Siblings(),
      userAgent: 'test',
      timeoutMs: deadlineMs,
      signal,
      target: await targetTools(),
    };
    return checkHttpStatus({ url: new URL(url), followRedirects: true }, tools).finally(() => agents.close());
  }

  async function answerOf(url: string, options: Parameters<typeof check>[1] = {}): Promise<HttpStatusAnswer> {
    const outcome = await check(url, options);
    expect(outcome.state).to.equal('success');
    return (outcome as Extract<typeof outcome, { state: 'success' }>).answer;
  }

  async function timed(name: string) {
    const startedMs = performance.now();
    const answer = await answerOf(server.url(name as Name), { deadlineMs: deadlineOf(name) });
    return { answer, tookMs: performance.now() - startedMs };
  }

  it('are all looked at here', () => {
    expect(Object.keys(behaviours)).to.have.members([...Object.keys(expected), 'to-metadata']);
  });

  for (const [name, [status, error]] of Object.entries(expected)) {
    it(`${name}: ${error ? `${status} ${error}` : status}, within the deadline`, async () => {
      const { answer, tookMs } = await (begun.get(name) ?? timed(name));
      expect([answer.status, answer.error]).to.deep.equal([status, error]);
      expect(Buffer.byteLength(JSON.stringify(answer))).to.be.at.most(answerBytesMax);
      // Never without end; how much later a busy machine answers tells nothing.
      expect(tookMs).to.be.below(deadlineOf(name) + 20_000);
    });
  }

  it('to-metadata: a redirect to a private address is no answer', async () => {
    const refused = { state: 'failed', error: 'target_not_allowed' };
    expect(await check(server.url('to-metadata'))).to.include(refused);
  });

  for (const name of ['two-responses', 'two-responses-late', 'two-responses-in-body'] as const) {
    it(`${name}: what was smuggled in never answers the next request on that connection`, async () => {
      const agents = agentsOf(true);
      const close = agents.close.bind(agents);
      agents.close = () => {};
      for (const pauseMs of name === 'two-responses-late' ? [0] : [0, 60]) {
        await answerOf(server.url(name), { agents });
        // A request that is under way when it comes cannot tell the answer from its own, and the host is the same.
        if (name === 'two-responses-late') await lateAnswer.noticed;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        expect((await answerOf(server.url('status-bare'), { agents })).status).to.equal(204);
      }
      close();
    });
  }

  it('a flood of a hundred bodies at once leaves memory bounded', async () => {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const floods = ['gzip-bomb', 'endless-body', 'brotli-bomb', 'endless-trailers'] as const;
    const urls = Array.from({ length: 100 }, (_, index) => server.url(floods[index % 4] ?? 'gzip-bomb'));
    await Promise.all(urls.map((url) => check(url)));
    // A hundred bodies of at most 1 MiB, decoded and once more as text.
    expect((process.memoryUsage().rss - before) / 1024 / 1024).to.be.below(600);
  });
});

describe('hostile TLS', () => {
  const authorities = tls.getCACertificates();

  before(() => tls.setDefaultCACertificates([...authorities, testAuthority]));
  after(() => tls.setDefaultCACertificates(authorities));

  const expectedOf: Record<keyof typeof tlsServers, Answered> = {
    good: given(200),
    expired: none('tls_error'),
    'not-yet-valid': none('tls_error'),
    'wrong-name': none('tls_error'),
    'self-signed': none('tls_error'),
    'tls-1.0': none('tls_error'),
    'tls-1.1': none('tls_error'),
    'client-certificate': none('tls_error'),
    'plain-http': none('tls_error'),
    garbage: none('tls_error'),
    alert: none('tls_error'),
    // The handshake goes on until the server leaves.
    'no-secure-renegotiation': none('connection_reset'),
    'close-in-handshake': none('connection_reset'),
    'reset-in-handshake': none('connection_reset'),
    'silent-in-handshake': none('response_timeout'),
  };

  for (const [name, [status, error]] of Object.entries(expectedOf)) {
    it(`${name}: ${error ?? status}`, async () => {
      const server = tlsServers[name as keyof typeof tlsServers]().listen(0, '127.0.0.1');
      server.on('connection', (socket) => socket.unref());
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const agents = createAgents({ policy, resolver: createResolver() });
      const deadlineMs = name === 'silent-in-handshake' ? shortMs : timeoutMs;
      const tools = {
        policy,
        agents,
        siblings: new Siblings(),
        accountId: 1,
        userAgent: 'test',
        timeoutMs: deadlineMs,
        target: await targetTools(),
      };
      const input = { url: new URL(`https://127.0.0.1:${port}/`), followRedirects: true };
      const outcome = await checkHttpStatus(input, { ...tools, signal: new AbortController().signal });
      agents.close();
      server.close();
      expect(outcome).to.have.nested.include({ 'answer.status': status, 'answer.error': error });
      const { error_detail: detail } = (outcome as Extract<typeof outcome, { state: 'success' }>).answer;
      if (error !== 'tls_error') expect(detail).to.equal(undefined);
      else expect(detail).to.match(tlsReasons[name] ?? /^The TLS connection failed: .+\.$/);
    });
  }
});

const tlsReasons: Record<string, RegExp> = {
  expired: /certificate has expired\.$/,
  'wrong-name': /is not in the cert's list\.$/,
  'self-signed': /self-signed certificate\.$/,
  'tls-1.0': /protocol version\.$/,
  'plain-http': /(wrong version number|packet length too long)\.$/,
};

function all(error: string, names: string): Record<string, Answered> {
  return Object.fromEntries(words(names).map((name) => [name, none(error)]));
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
