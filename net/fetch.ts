import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import nodeFetch, { Headers } from 'node-fetch';
import { type Agents, isResolving } from './agent.ts';
import { BodyReader } from './body-reader.ts';
import { acceptedCodings, decodeContent } from './content-coding.ts';
import { classify, FetchError, gaveUp } from './fetch-error.ts';
import type { ResolvedAddress } from './resolver.ts';
import { withoutFragment } from './url.ts';

/**
 * The most raw bytes one request may bring unless told otherwise, interim answers and headers included
 * (docs/limits.md).
 */
export const rawBytesMax = 4 * 1024 * 1024;

/** The longest header block. Long content security policies and many cookies need more than Node's 16 KiB. */
const headerBytesMax = 64 * 1024;

export interface FetchRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  agents: Agents;
  /** The only addresses to connect to, if the policy lets them; those of the name unless told otherwise. */
  addresses?: readonly ResolvedAddress[];
  /** Aborted by the caller: ends in FetchError `aborted`. */
  signal: AbortSignal;
  /** The moment on `performance.now()`'s clock by which headers and body must be here. */
  deadlineMs: number;
  /** How long a new connection may take, if less than to the deadline. */
  connectMs?: number;
  /** The most raw bytes, if not `rawBytesMax`. */
  bytesMax?: number;
}

/** An HTTP answer whose headers are here and whose body is still on its way. */
export interface FetchedResponse {
  /** 100 to 999. */
  status: number;
  headers: Headers;
  /**
   * Returns the body, up to `bytesMax` bytes as sent and decoded, and up to the deadline. A broken body is a short one.
   * Content codings that are unknown or false are left as they are. Its memory may hold more than the body.
   */
  readBody(bytesMax: number): Promise<Buffer>;
  /** Whether the body was read to its end: false for one that was longer than asked, or broke off. */
  hasEnded(): boolean;
  /** Lets go of the body; the connection is kept only if little of it is left. */
  discard(): void;
}

/**
 * One request, no redirect followed. Throws FetchError when no answer came. Only http and https: node-fetch
 * would answer `data:` URLs too.
 */
export async function fetchOnce(url: URL, request: FetchRequest): Promise<FetchedResponse> {
  if (!/^https?:$/.test(url.protocol))
    throw new FetchError('target_not_allowed', `${url.protocol} is not fetched`);
  while (true) {
    const hop = new Hop(request);
    const answer = await send(hop, url, request);
    if (answer) return answer;
  }
}

/** Returns null when the request went to a kept connection that the server had already closed. */
async function send(hop: Hop, url: URL, request: FetchRequest): Promise<FetchedResponse | null> {
  try {
    const sent = nodeFetch(withoutFragment(url.href), {
      method: request.method ?? 'GET',
      headers: { 'Accept-Encoding': acceptedCodings, ...request.headers },
      body: request.body,
      redirect: 'manual',
      // Browsers show what the strict parser refuses, and no connection is shared between accounts.
      insecureHTTPParser: true,
      signal: hop.signal,
      agent: hop.agentFor(url, request.agents),
    });
    const received = await Promise.race([hop.received, sent.then(() => hop.received)]);
    // Above 599 means nothing in HTTP, but is sent, and read, as a refusal: LinkedIn's 999.
    if (received.status < 100 || received.status > 999) {
      throw new FetchError('invalid_response', `The status ${received.status} is not valid.`);
    }
    return received;
  } catch (error) {
    const explained = hop.explain(error);
    hop.stop();
    // RFC 9112 section 9.3.1. Each time, the agent has one connection less to reuse.
    if (explained.code === 'connection_reset' && hop.isReused && request.method !== 'POST') return null;
    throw explained;
  }
}

/** One request under way: how far it came, what stopped it, and the limits that watch it. */
class Hop {
  readonly #request: FetchRequest;
  readonly #stop = new AbortController();
  readonly #giveUp = () => this.#stop.abort();
  #socket: Socket | undefined;
  readonly #received = Promise.withResolvers<FetchedResponse>();
  #isReused = false;
  #bytesBefore = 0;
  #isConnected = false;
  /** Ends the recording of the head, where the connection may be reused. */
  #isOdd: (() => boolean) | undefined;
  #cause: unknown;
  #budget: NodeJS.Timeout | undefined;
  #deadline: NodeJS.Timeout;
  #connecting: NodeJS.Timeout | undefined;

  constructor(request: FetchRequest) {
    this.#request = request;
    // By hand, since AbortSignal.any costs more than the rest of a hop's bookkeeping together.
    if (request.signal.aborted) this.#stop.abort();
    else request.signal.addEventListener('abort', this.#giveUp, { once: true });
    const remainingMs = Math.max(0, request.deadlineMs - performance.now());
    this.#deadline = setTimeout(() => this.#stop.abort(this.#timeout()), remainingMs);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** node-fetch shows nobody its ClientRequest; an agent is handed it, so this one looks and passes it on. */
  agentFor(url: URL, agents: Agents): Agents['http'] {
    const agent = url.protocol === 'https:' ? agents.https : agents.http;
    return Object.create(agent, {
      addRequest: {
        value: (request: ClientRequest, options: object, ...rest: unknown[]) => {
          this.#watch(request);
          // node-fetch does not pass this option.
          Object.assign(request, { maxHeaderSize: headerBytesMax });
          const { addresses } = this.#request;
          const pinned = addresses ? { ...options, addresses } : options;
          (agent as unknown as { addRequest(...args: unknown[]): void }).addRequest(request, pinned, ...rest);
        },
      },
    });
  }

  /** The response; pending when none comes. */
  get received(): Promise<FetchedResponse> {
    return this.#received.promise;
  }

  /** Whether nothing came on a connection that an earlier request had used. */
  get isReused(): boolean {
    return this.#isReused && this.#socket?.bytesRead === this.#bytesBefore;
  }

  /** Ends the request, whatever it is at. */
  stop(): void {
    this.#stop.abort();
    this.end();
  }

  end(): void {
    this.#request.signal.removeEventListener('abort', this.#giveUp);
    clearTimeout(this.#deadline);
    clearTimeout(this.#connecting);
    clearInterval(this.#budget);
  }

  explain(error: unknown): FetchError {
    if (this.#request.signal.aborted) return gaveUp({ cause: error });
    const cause = this.#stop.signal.aborted ? this.#stop.signal.reason : (this.#cause ?? error);
    return classify(cause, this.#isConnected);
  }

  #watch(request: ClientRequest): void {
    request.once('error', (error) => {
      this.#cause ??= error;
    });
    // Nobody asked for another protocol; unheard, Node would drop the connection and say nothing.
    request.once('upgrade', (_response, socket: Socket) => {
      socket.destroy();
      this.#stop.abort(
        new FetchError('invalid_response', 'The server switched protocols without being asked.'),
      );
    });
    request.once('socket', (socket: Socket) => {
      this.#socket = socket;
      // node-fetch would read the body through streams that drop what came before a broken end.
      request.removeAllListeners('response');
      request.once('response', (message) => {
        try {
          this.#receive(request, message);
        } catch (error) {
          // Thrown from here, it would end the process.
          this.#received.reject(error);
        }
      });
      this.#isReused = request.reusedSocket;
      this.#bytesBefore = socket.bytesRead;
      if (request.shouldKeepAlive) this.#isOdd = recordHead(socket, headerBytesMax);
      const { bytesMax = rawBytesMax } = this.#request;
      if (socket.connecting) this.#awaitConnection(socket);
      else this.#connected();
      // A flood of interim answers never reaches the body's limit; only the socket knows of it.
      this.#budget = setInterval(() => {
        if (socket.bytesRead - this.#bytesBefore > bytesMax) this.#stop.abort(overBudget(bytesMax));
      }, 50);
      this.#budget.unref();
    });
  }

  #receive(request: ClientRequest, message: IncomingMessage): void {
    const reader = new BodyReader(message);
    message.once('close', () => this.end());
    // Lets the parser hand over each piece at once; otherwise pieces wait for the next tick, and an error in the same
    // packet discards them.
    message.read(0);
    // Where a lenient and a strict reader may differ, so may two about where the response ends.
    const { headers } = message;
    const isFramedTwice = 'content-length' in headers && 'transfer-encoding' in headers;
    if (this.#isOdd?.() || isFramedTwice) request.shouldKeepAlive = false;
    this.#received.resolve(this.#answer(message, reader));
  }

  #answer(message: IncomingMessage, reader: BodyReader): FetchedResponse {
    const headers = toHeaders(message.rawHeaders);
    const coding = headers.get('content-encoding');
    let isCut = false;
    return {
      status: message.statusCode ?? 0,
      headers,
      readBody: async (bytesMax) => {
        const body = await reader.readUpTo(bytesMax);
        const content = coding === null ? body : await decodeContent(body, coding, bytesMax);
        isCut = content.length >= bytesMax;
        return content;
      },
      hasEnded: () => message.readableEnded && !isCut,
      discard: () => {
        // The connection of a short body is kept. A length beside chunks says nothing.
        const length = Number(headers.get('content-length') ?? Number.NaN);
        if (length <= drainBytesMax) void reader.readUpTo(drainBytesMax);
        else this.stop();
      },
    };
  }

  #awaitConnection(socket: Socket): void {
    socket.once('connect', () => this.#connected());
    const { connectMs } = this.#request;
    if (connectMs === undefined) return;
    this.#connecting = setTimeout(() => this.#stop.abort(this.#timeout()), connectMs);
  }

  #connected(): void {
    this.#isConnected = true;
    clearTimeout(this.#connecting);
  }

  #timeout(): FetchError {
    if (this.#isConnected) return new FetchError('response_timeout', 'the target did not answer in time');
    return this.#socket && isResolving(this.#socket)
      ? new FetchError('dns_failed', 'no resolver answered in time')
      : new FetchError('connect_timeout', 'no connection in time');
  }
}

// Below this, reading the rest is cheaper than another connection.
const drainBytesMax = 16 * 1024;

function overBudget(bytesMax: number): FetchError {
  return new FetchError('invalid_response', `More than ${bytesMax} bytes came.`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const controlCharacters = /[\x00-\x08\x0a-\x1f\x7f]/g;

/**
 * Returns the headers in a form that node-fetch accepts: control characters of values are percent-encoded, as in a URL.
 * Spaces after names are removed: the lenient parser lets them pass in names that it knows, such as `Content-Length`.
 */
function toHeaders(rawHeaders: readonly string[]): Headers {
  const pairs: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    pairs.push([name.trimEnd(), value.replaceAll(controlCharacters, encodeURIComponent)]);
  }
  return new Headers(pairs);
}

// One final response in the form that RFC 9112 prescribes: no line that ends in LF alone, no folded line, no control
// character, no interim response before it.
const strictHead =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it excludes them
  /^HTTP\/1\.[01] [2-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[^\x00-\x20:\x7f]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/;

const headEnd = '\r\n\r\n';

/**
 * Records the first `bytesMax` bytes that come on a connection. The returned function stops that, and returns whether
 * they begin with anything else than one strictly written response head.
 */
function recordHead(socket: Socket, bytesMax: number): () => boolean {
  // A string, because a head may come byte by byte: a buffer would be copied each time, and an array would hold a
  // buffer for each byte.
  let start = '';
  const record = (part: Buffer) => {
    if (start.length < bytesMax) start += part.toString('latin1', 0, bytesMax - start.length);
  };
  // Before the HTTP parser, which emits the response while it reads the last bytes of the head.
  socket.prependListener('data', record);
  return () => {
    socket.off('data', record);
    const end = start.indexOf(headEnd);
    return end < 0 || !strictHead.test(start.slice(0, end + headEnd.length));
  };
}
