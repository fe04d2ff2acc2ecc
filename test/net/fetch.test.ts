import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { BrotliDecompress, brotliCompressSync, constants } from 'node:zlib';
import { expect } from 'chai';
import { type Agents, createAgents } from '../../net/agent.ts';
import { fetchOnce } from '../../net/fetch.ts';
import type { FetchError } from '../../net/fetch-error.ts';
import { createResolver } from '../../net/resolver.ts';
import { eventually } from '../support/eventually.ts';
import { Random } from '../support/random.ts';
import { serveRaw, useRawServer } from '../support/raw-server.ts';
import { seedOfRun } from '../support/seed.ts';
import { allowLoopback } from '../support/target-tools.ts';
import { serve, useSite } from '../support/web.ts';

const { signal } = new AbortController();
let agents: Agents;

/** Fetches with the agents of the test. */
const fetchFrom = (url: string, more: Pick<Parameters<typeof fetchOnce>[1], 'method' | 'body'> = {}) =>
  fetchOnce(new URL(url), { agents, signal, deadlineMs: performance.now() + 60_000, ...more });

/** Creates agents for each test of a suite. */
function useAgents(): void {
  beforeEach(() => {
    agents = createAgents({ policy: allowLoopback, resolver: createResolver(), keepAlive: true });
  });
  afterEach(() => {
    mock.restoreAll();
    agents.close();
  });
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 } };

describe('a body', () => {
  useAgents();
  let bomb: Buffer;
  const site = useSite((_req, res) => {
    res.writeHead(404, { 'Content-Encoding': 'br', 'Content-Length': bomb.length }).end(bomb);
  });

  before(async () => {
    bomb = brotliCompressSync(Buffer.alloc(128 * 1024 * 1024), quick);
  });

  it('has at most the requested length', async () => {
    const long = await serve((_req, res) => res.end('hello'.repeat(20_000)));
    for (const bytesMax of [1024, 80_000, 1024 * 1024]) {
      const body = await (await fetchFrom(long.url)).readBody(bytesMax);
      expect(body).to.have.lengthOf(Math.min(bytesMax, 100_000));
    }
    await long.close();
  });

  it('that is discarded is decompressed no further than needed, with any compressed size', async () => {
    expect(bomb.length).to.be.below(16 * 1024);
    let unpacked = 0;
    const { push } = BrotliDecompress.prototype;
    mock.method(BrotliDecompress.prototype, 'push', function (this: BrotliDecompress, part: Buffer | null) {
      unpacked += part?.length ?? 0;
      return push.call(this, part);
    });
    const responses = await Promise.all(Array.from({ length: 8 }, () => fetchFrom(site.url)));
    for (const response of responses) response.discard();
    await pause(500);
    expect(unpacked).to.be.below(8 * 1024 * 1024);
  });

  it('that is discarded leaves no timer behind, with or without a declared length', async () => {
    const answers = await serve((req, res) => {
      if (req.url === '/told') res.setHeader('Content-Length', 5);
      res.writeHead(req.url === '/none' ? 204 : 200);
      res.end(req.url === '/none' ? undefined : 'hello');
    });
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    for (const path of ['/told', '/untold', '/none']) (await fetchFrom(answers.url + path)).discard();
    await eventually(async () => (timers() <= before ? true : null));
    await answers.close();
  });
});

describe('the head of a response', () => {
  useAgents();
  let head: string;
  const server = useRawServer((socket) => socket.end(Buffer.from(`${head}hello`, 'latin1')));
  const uncaught: unknown[] = [];
  const recordUncaught = (error: unknown) => void uncaught.push(error);

  // Mocha rethrows an unhandled rejection as an uncaught exception.
  before(() => void process.on('uncaughtExceptionMonitor', recordUncaught));
  after(() => void process.off('uncaughtExceptionMonitor', recordUncaught));

  const namesRead = ['content-length', 'connection', 'x-note'];

  /** Returns the status and the headers of `namesRead`, or the code of the error. */
  async function receive(): Promise<{ status: number; headers: (string | null)[] } | string> {
    try {
      const response = await fetchFrom(server.url);
      await response.readBody(1024);
      return { status: response.status, headers: namesRead.map((name) => response.headers.get(name)) };
    } catch (error) {
      return (error as FetchError).code;
    }
  }

  it('is not copied again for each of its packets', async () => {
    const headers = `X-Note: ${'a'.repeat(200)}\r\n`;
    const dripped = await serveRaw(async (socket) => {
      for (const character of `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${headers}\r\n`) {
        const before = clientBytes();
        socket.write(character);
        while (clientBytes() === before) await nextTurn();
      }
    });
    const clientBytes = () => {
      const sockets = [...Object.values(agents.http.sockets), ...Object.values(agents.http.freeSockets)];
      return sockets.flatMap((open) => open ?? []).reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    };
    const concat = mock.method(Buffer, 'concat');
    const response = await fetchFrom(dripped.url);
    expect(response.headers.get('x-note')).to.have.lengthOf(200);
    const copied = concat.mock.calls.reduce((sum, { result }) => sum + (result?.length ?? 0), 0);
    expect(copied).to.be.below(1000);
    response.discard();
    await dripped.close();
  });

  it('is read if spaces follow a name', async () => {
    head = 'HTTP/1.1 200 OK\r\nContent-Length : 5\r\nConnection  : close\r\nX-Note: a\r\n\r\n';
    expect(await receive()).to.deep.equal({ status: 200, headers: ['5', 'close', 'a'] });
  });

  it('gives a response or a FetchError, with any names and values', async () => {
    const seed = seedOfRun();
    const random = new Random(seed);
    const names = [
      ...['Content-Length', 'Connection', 'Proxy-Connection', 'Transfer-Encoding', 'Upgrade', 'Keep-Alive'],
      ...['Location', 'Set-Cookie', 'Trailer', '__proto__', 'X-Note', 'constructor', ''],
    ];
    const values = [
      '5',
      '0',
      '-1',
      'close',
      'keep-alive',
      'upgrade',
      'chunked',
      'gzip, chunked',
      'h2c',
      '/',
      '',
    ];
    const anyByte = () => String.fromCharCode(random.integer(0, 255));
    const noise = () => random.pick([' ', '\t', ' \t ', '\r\n ', '\0', ':', anyByte(), anyByte()]);
    const noisy = (text: string) => {
      if (random.chance(0.4)) return text;
      const at = random.chance(0.5) ? text.length : random.integer(0, text.length);
      return text.slice(0, at) + noise() + text.slice(at);
    };
    const statuses = [
      '200 OK',
      '204 No',
      '304 Not',
      '101 Switch',
      '103 Early',
      '999 Denied',
      '099 Low',
      '200',
    ];
    const outcomes = new Set<string>();
    for (let round = 0; round < 600; round++) {
      const lines = Array.from(
        { length: random.integer(1, 3) },
        () =>
          `${noisy(random.pick(names))}:${noisy(random.pick([' ', '']))}${noisy(random.pick(values))}\r\n`,
      );
      const status = random.chance(0.7) ? '200 OK' : random.pick(statuses);
      head = `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
      const received = await receive();
      const what = `TEST_SEED=${seed}, round ${round}: ${JSON.stringify(head)}`;
      expect(uncaught, what).to.deep.equal([]);
      const outcome = typeof received === 'string' ? received : 'response';
      expect(outcome, what).to.be.oneOf(['response', 'invalid_response', 'connection_reset']);
      outcomes.add(outcome);
    }
    expect(outcomes).to.include.all.keys('response', 'invalid_response');
  });

  it('gives an invalid_response error if it cannot be stored', async () => {
    head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n';
    const fail = () => {
      throw new TypeError('unforeseen');
    };
    mock.method(IncomingMessage.prototype, 'read', fail, { times: 1 });
    expect(await receive()).to.equal('invalid_response');
    expect(uncaught).to.deep.equal([]);
  });
});

describe('a reused connection', () => {
  useAgents();
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const requests = new WeakMap<Socket, number>();
  let answer: (socket: Socket, earlier: number) => void;
  const server = useRawServer((socket) => {
    const earlier = requests.get(socket) ?? 0;
    requests.set(socket, earlier + 1);
    answer(socket, earlier);
  });

  beforeEach(() => {
    server.asked.length = 0;
  });

  /** Returns the body, or the code of the error, and waits until no connection is in use. */
  async function ask(method: 'GET' | 'POST' = 'GET'): Promise<string> {
    const text = await fetchFrom(server.url, { method, body: method === 'POST' ? 'x' : undefined }).then(
      async (response) => String(await response.readBody(1024)),
      ({ code }: FetchError) => code,
    );
    await untilIdle();
    return text;
  }

  const untilIdle = () =>
    eventually(async () => Object.values(agents.http.sockets).flat().length === 0 || null, undefined, 5);

  /** Leaves `count` idle connections. */
  async function keep(count: number): Promise<void> {
    const waiting: Socket[] = [];
    answer = (socket) => {
      waiting.push(socket);
      if (waiting.length === count) for (const each of waiting) each.write(ok);
    };
    await Promise.all(Array.from({ length: count }, () => ask()));
    expect(Object.values(agents.http.freeSockets).flat()).to.have.lengthOf(count);
    server.asked.length = 0;
  }

  it('is replaced by a new one for a GET if the server closes it, with any number of idle ones', async () => {
    await keep(10);
    answer = (socket, earlier) => (earlier > 0 ? socket.destroy() : socket.write(ok));
    expect(await ask()).to.equal('ok');
    expect(server.asked).to.have.lengthOf(2);
  });

  it('is not replaced twice for a GET if the server also closes the new one', async () => {
    await keep(10);
    answer = (socket) => socket.destroy();
    expect(await ask()).to.equal('connection_reset');
    expect(server.asked).to.have.lengthOf(2);
  });

  it('is not replaced for a POST if the server closes it', async () => {
    await keep(10);
    answer = (socket) => socket.destroy();
    expect(await ask('POST')).to.equal('connection_reset');
    expect(server.asked).to.have.lengthOf(1);
  });

  it('is replaced by a new one for a GET if the rest of an earlier body arrives on it', async () => {
    await keep(1);
    answer = (socket, earlier) => socket.write(earlier > 0 ? `</html>${ok}` : ok);
    expect(await ask()).to.equal('ok');
    expect(server.asked).to.have.lengthOf(2);
  });

  it('is not replaced for a GET if a response ends early on it', async () => {
    await keep(1);
    answer = (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-');
    expect(await ask()).to.equal('connection_reset');
    expect(server.asked).to.have.lengthOf(1);
  });

  for (const [name, response, connections] of [
    ['status 204', 'HTTP/1.1 204 No\r\n\r\n', 1],
    ['status 304', 'HTTP/1.1 304 No\r\n\r\n', 1],
    ['a length', ok, 1],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n', 1],
    ['status 204 and a length', 'HTTP/1.1 204 No\r\nContent-Length: 4\r\n\r\n', 2],
    ['status 304 and a length', 'HTTP/1.1 304 No\r\nContent-Length: 4\r\n\r\n', 2],
    ['status 204 and chunks', 'HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n', 2],
    ['status 304 and chunks', 'HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n', 2],
    ['chunks named twice', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n', 2],
    [
      'chunks and a length behind a thousand headers',
      `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(1100)}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      2,
    ],
  ] as const) {
    it(`is ${connections === 1 ? '' : 'not '}used again after a response with ${name}`, async () => {
      const before = server.connections();
      answer = (socket) => socket.write(response);
      expect(await ask()).to.equal(await ask());
      expect(server.connections() - before).to.equal(connections);
    });
  }
});
