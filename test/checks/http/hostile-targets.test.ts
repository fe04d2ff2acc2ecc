import { once } from 'node:events';
import tls from 'node:tls';
import { expect } from 'chai';
import { createAgents } from '../../../net/agent.ts';
import { createResolver } from '../../../net/resolver.ts';
import type { HttpStatusAnswer } from '../../../schemas/http-status.ts';
import { answers, lateAnswer } from '../../support/hostile/answers.ts';
import { bodies } from '../../support/hostile/bodies.ts';
import { pages } from '../../support/hostile/pages.ts';
import { redirects } from '../../support/hostile/redirects.ts';
import type { Behaviour } from '../../support/hostile/speak.ts';
import { testAuthority, tlsServers } from '../../support/hostile/tls.ts';
import { useRawServer } from '../../support/raw-server.ts';
import { allowLoopback, checkTarget } from '../../support/target-tools.ts';
import { words } from '../../support/words.ts';

/**
 * Timeout for behaviours that last until the deadline. All other behaviours end at a limit, which a busy machine
 * reaches late.
 */
const shortMs = 3000;
const timeoutMs = 60_000;
const answerBytesMax = 4096;

/** Ways to misbehave. Forms that browsers accept are in odd-responses.test.ts. */
const behaviours = { ...answers, ...bodies, ...pages, ...redirects };
type Name = keyof typeof behaviours;
type Answered = [status: number, error: string | null];

const none = (error: string): Answered => [0, error];
const given = (status: number, error: string | null = null): Answered => [status, error];

/** Status and error of each check. */
const expected: Record<string, Answered> = {
  ...all('connection_reset', 'close reset reset-in-status-line reset-in-headers close-in-headers'),
  ...all('response_timeout', 'silent half-headers dripping-headers processing-drip'),
  ...all('invalid_response', 'garbage endless-noise http-0.9 http-2 shoutcast ssh switching-protocols'),
  ...all(
    'invalid_response',
    'status-000 status-2000 status-negative status-20 status-word header-no-colon header-space',
  ),
  ...all('invalid_response', 'continue-flood early-hints-flood'),
  ...all('invalid_response', 'huge-length negative-length word-length'),
  ...all('headers_too_large', 'status-endless-reason header-endless to-longer-than-headers'),
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
  ...all(
    'invalid_redirect',
    `to-data to-file to-gopher to-javascript to-credentials to-half-an-address to-port-99999 to-long to-two-places`,
    302,
  ),
  'to-nothing': given(302),
  'to-300': given(300),
  'to-304': given(304),
  'to-proxy': given(305),
};

/** Behaviours with valid headers. Nothing after the headers changes the status. */
const validHead = `
  http-9.9 reset-after-headers many-headers header-latin big-length two-responses-in-body gzip-bomb
  brotli-bomb deflate-bomb raw-deflate-bomb nested-bomb chained-codings hundred-codings cut-gzip empty-gzip
  endless-body endless-image dripping-body dripping-gzip held-body huge-chunk overlong-chunk negative-chunk
  chunk-extensions endless-trailers dripping-chunks chunked-twice unknown-transfer unknown-charset
  charset-flood false-utf-16 utf-7 utf-32 invalid-utf-8 two-charsets null-bytes type-is-garbage
  to-final-without-end final`;
for (const name of [...words(validHead), ...Object.keys(pages)]) expected[name] = given(200);

/** Behaviours that last until the deadline. They run concurrently. */
const lasting = words(`
  silent half-headers dripping-headers processing-drip dripping-body dripping-gzip dripping-chunks held-body`);

const deadlineOf = (name: string) => (lasting.includes(name) ? shortMs : timeoutMs);

describe('hostile targets', () => {
  const server = useRawServer((socket, target) => {
    const path = target.slice(1);
    const behave = (behaviours as Record<string, Behaviour>)[path.split('?')[0] ?? ''];
    if (behave) behave(socket, path);
    else socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  });
  const urlOf = (name: Name) => `${server.url}/${name}`;
  const begun = new Map<string, Promise<{ answer: HttpStatusAnswer; tookMs: number }>>();

  before(() => {
    for (const name of lasting) begun.set(name, timed(name));
  });

  async function getAnswer(name: Name, tools: Parameters<typeof checkTarget>[1]): Promise<HttpStatusAnswer> {
    const outcome = await checkTarget(urlOf(name), tools);
    expect(outcome.state).to.equal('success');
    return (outcome as Extract<typeof outcome, { state: 'success' }>).answer;
  }

  async function timed(name: string) {
    const startedMs = performance.now();
    const answer = await getAnswer(name as Name, { timeoutMs: deadlineOf(name) });
    return { answer, tookMs: performance.now() - startedMs };
  }

  it('are all in this table', () => {
    expect(Object.keys(behaviours)).to.have.members([...Object.keys(expected), 'to-metadata']);
  });

  for (const [name, [status, error]] of Object.entries(expected)) {
    it(`${name}: ${error ? `${status} ${error}` : status}, within the deadline`, async () => {
      const { answer, tookMs } = await (begun.get(name) ?? timed(name));
      expect([answer.status, answer.error]).to.deep.equal([status, error]);
      expect(Buffer.byteLength(JSON.stringify(answer))).to.be.at.most(answerBytesMax);
      // The check must end. A busy machine ends it later.
      expect(tookMs).to.be.below(deadlineOf(name) + 20_000);
    });
  }

  it('to-metadata: a redirect to a private address is not an answer', async () => {
    const refused = { state: 'failed', error: 'target_not_allowed' };
    expect(await checkTarget(urlOf('to-metadata'))).to.include(refused);
  });

  for (const name of ['two-responses', 'two-responses-late', 'two-responses-in-body'] as const) {
    it(`${name}: a smuggled response never answers the next request on that connection`, async () => {
      const agents = createAgents({ policy: allowLoopback, resolver: createResolver(), keepAlive: true });
      for (const pauseMs of name === 'two-responses-late' ? [0] : [0, 60]) {
        await getAnswer(name, { agents });
        // A request in progress cannot distinguish the late response from its own response.
        if (name === 'two-responses-late') await lateAnswer.noticed;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        expect((await getAnswer('status-bare', { agents })).status).to.equal(204);
      }
      agents.close();
    });
  }

  it('a flood of forty bodies at once leaves memory bounded', async () => {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const floods = ['gzip-bomb', 'endless-body', 'brotli-bomb', 'endless-trailers'] as const;
    const urls = Array.from({ length: 40 }, (_, index) => urlOf(floods[index % 4] ?? 'gzip-bomb'));
    await Promise.all(urls.map((url) => checkTarget(url)));
    // This is the memory of forty bodies of at most 1 MiB, decoded and as text.
    expect((process.memoryUsage().rss - before) / 1024 / 1024).to.be.below(400);
  });
});

describe('hostile TLS', () => {
  const authorities = tls.getCACertificates();

  before(() => tls.setDefaultCACertificates([...authorities, testAuthority]));
  after(() => tls.setDefaultCACertificates(authorities));

  // After `no-secure-renegotiation` the handshake continues until the server closes.
  const resets = words('no-secure-renegotiation close-in-handshake reset-in-handshake');
  const getExpected = (name: string): Answered => {
    if (name === 'good') return given(200);
    if (name === 'silent-in-handshake') return none('response_timeout');
    return none(resets.includes(name) ? 'connection_reset' : 'tls_error');
  };

  for (const name of Object.keys(tlsServers)) {
    const [status, error] = getExpected(name);
    it(`${name}: ${error ?? status}`, async () => {
      const server = tlsServers[name as keyof typeof tlsServers]().listen(0, '127.0.0.1');
      server.on('connection', (socket) => socket.unref());
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const deadlineMs = name === 'silent-in-handshake' ? shortMs : timeoutMs;
      const outcome = await checkTarget(`https://127.0.0.1:${port}/`, { timeoutMs: deadlineMs });
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

function all(error: string, names: string, status = 0): Record<string, Answered> {
  return Object.fromEntries(words(names).map((name) => [name, given(status, error)]));
}
