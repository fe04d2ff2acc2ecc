import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import nodeFetch from 'node-fetch';
import type { Agents } from './agent.ts';
import { BodyReader } from './body-reader.ts';
import { acceptedCodings, decodeContent } from './content-coding.ts';
import { createAbortedError, FetchError, toFetchError } from './fetch-error.ts';
import type { ResolvedAddress } from './resolver.ts';
import { ResponseHeaders } from './response-headers.ts';
import { withoutFragment } from './url.ts';

/**
 * Default limit of the raw bytes that one request may receive, including interim responses and headers
 * (docs/limits.md).
 */
const rawBytesMax = 4 * 1024 * 1024;

/** Maximum bytes of a header block. Long content security policies and many cookies need more than Node's 16 KiB. */
const headerBytesMax = 64 * 1024;

interface FetchRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  agents: Agents;
  /**
   * The only addresses to connect to. The policy must allow them, too. Default: the addresses that the name resolves
   * to.
   */
  addresses?: readonly ResolvedAddress[];
  /** Aborts the request, which then fails with FetchError `aborted`. */
  signal: AbortSignal;
  /** Time by which headers and body must have arrived, on the clock of `performance.now()`. */
  deadlineMs: number;
  /** Time limit for a new connection. The deadline applies too. */
  connectMs?: number;
  /** Limit of raw bytes. Default: `rawBytesMax`. */
  bytesMax?: number;
}

/** HTTP response whose headers have arrived. */
export interface FetchedResponse {
  /** 100 to 999. */
  status: number;
  headers: ResponseHeaders;
  /**
   * Returns the part of the body that arrives before the deadline or an error. `bytesMax` limits both the encoded and
   * the decoded bytes. Unknown and wrong content codings are not decoded. The buffer may share memory with other data.
   */
  readBody(bytesMax: number): Promise<Buffer>;
  /** Returns true if the whole body was read. Returns false if the body was too long or incomplete. */
  hasEnded(): boolean;
  /** Discards the body. If the body is short, the connection is kept. */
  discard(): void;
}

/**
 * Makes one request and follows no redirect. Repeats a GET whose reused connection was stale. Throws FetchError if no
 * response arrives. Also throws FetchError for a scheme other than http and https, because node-fetch would accept
 * `data:` URLs.
 */
export async function fetchOnce(url: URL, request: FetchRequest): Promise<FetchedResponse> {
  if (!/^https?:$/.test(url.protocol))
    throw new FetchError('target_not_allowed', `${url.protocol} is not fetched`);
  const hop = new Hop(request);
  try {
    return await send(hop, url, request);
  } catch (error) {
    if (request.method === 'POST' || !hop.isStaleConnection(error)) throw error;
    return await send(new Hop(request, { isFresh: true }), url, request);
  }
}

async function send(hop: Hop, url: URL, request: FetchRequest): Promise<FetchedResponse> {
  try {
    const sent = nodeFetch(withoutFragment(url.href), {
      method: request.method ?? 'GET',
      headers: { 'Accept-Encoding': acceptedCodings, ...request.headers },
      body: request.body,
      redirect: 'manual',
      // The lenient parser is used, because browsers show responses that the strict parser rejects. The lenient parser
      // is safe, because accounts do not share connections.
      insecureHTTPParser: true,
      signal: hop.signal,
      agent: hop.agentFor(url, request.agents),
    });
    const received = await Promise.race([hop.received, sent.then(() => hop.received)]);
    // Some sites refuse requests with a status above 599, such as LinkedIn's 999.
    if (received.status < 100 || received.status > 999) {
      throw new FetchError('invalid_response', `The status ${received.status} is not valid.`);
    }
    return received;
  } catch (error) {
    const explained = hop.explain(error);
    hop.stop();
    throw explained;
  }
}

/** State and limits of one request. */
class Hop {
  readonly #request: FetchRequest;
  readonly #isFresh: boolean;
  readonly #stop = new AbortController();
  readonly #abort = () => this.#stop.abort();
  readonly #received = Promise.withResolvers<FetchedResponse>();
  #isReused = false;
  #bytesBefore = 0;
  #isConnected = false;
  /** Undefined if the connection cannot be reused. */
  #head: HeadRecord | undefined;
  #cause: unknown;
  #budget: NodeJS.Timeout | undefined;
  #deadline: NodeJS.Timeout;
  #connecting: NodeJS.Timeout | undefined;

  /** `isFresh` asks for a new connection. */
  constructor(request: FetchRequest, { isFresh = false } = {}) {
    this.#request = request;
    this.#isFresh = isFresh;
    // AbortSignal.any would cost more than the rest of this constructor.
    if (request.signal.aborted) this.#stop.abort();
    else request.signal.addEventListener('abort', this.#abort, { once: true });
    const remainingMs = Math.max(0, request.deadlineMs - performance.now());
    this.#deadline = setTimeout(() => this.#stop.abort(this.#timeout()), remainingMs);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Returns an agent that observes the ClientRequest. node-fetch passes the ClientRequest to agents only. */
  agentFor(url: URL, agents: Agents): Agents['http'] {
    const agent = url.protocol === 'https:' ? agents.https : agents.http;
    return Object.create(agent, {
      addRequest: {
        value: (request: ClientRequest, options: object, ...rest: unknown[]) => {
          this.#watch(request);
          // node-fetch does not pass this option.
          Object.assign(request, { maxHeaderSize: headerBytesMax });
          const { addresses } = this.#request;
          const isFresh = this.#isFresh;
          if (isFresh) request.shouldKeepAlive = false;
          const extended = { ...options, isFresh, ...(addresses && { addresses }) };
          (agent as unknown as { addRequest(...args: unknown[]): void }).addRequest(
            request,
            extended,
            ...rest,
          );
        },
      },
    });
  }

  /** Resolves to the response. Stays pending if no response arrives. */
  get received(): Promise<FetchedResponse> {
    return this.#received.promise;
  }

  /**
   * Returns true if the request failed because it reused a connection. The server had closed this connection (RFC 9112
   * section 9.3.1), or had sent bytes after the end of the previous response.
   */
  isStaleConnection(error: unknown): boolean {
    const { code } = error as FetchError;
    const isBroken = code === 'connection_reset' || code === 'invalid_response';
    return isBroken && this.#isReused && this.#head?.isHttp === false;
  }

  /** Aborts the request at any stage. */
  stop(): void {
    this.#stop.abort();
    this.end();
  }

  end(): void {
    this.#request.signal.removeEventListener('abort', this.#abort);
    clearTimeout(this.#deadline);
    clearTimeout(this.#connecting);
    clearInterval(this.#budget);
  }

  explain(error: unknown): FetchError {
    if (this.#request.signal.aborted) return createAbortedError({ cause: error });
    const cause = this.#stop.signal.aborted ? this.#stop.signal.reason : (this.#cause ?? error);
    return toFetchError(cause, this.#isConnected);
  }

  #watch(request: ClientRequest): void {
    request.once('error', (error) => {
      this.#cause ??= error;
    });
    // A server may switch protocols although we never ask for this. Without this listener, Node would close the
    // connection without an error.
    request.once('upgrade', (_response, socket: Socket) => {
      socket.destroy();
      this.#stop.abort(
        new FetchError('invalid_response', 'The server switched protocols without being asked.'),
      );
    });
    request.once('socket', (socket: Socket) => {
      // Replaces node-fetch's own listener, which reads the body through streams. These streams lose data if the body
      // breaks off.
      request.removeAllListeners('response');
      request.once('response', (message) => {
        try {
          this.#receive(request, message);
        } catch (error) {
          // An error thrown by a listener would end the process.
          this.#received.reject(error);
        }
      });
      this.#isReused = request.reusedSocket;
      this.#bytesBefore = socket.bytesRead;
      if (request.shouldKeepAlive) this.#head = new HeadRecord(socket, headerBytesMax);
      const { bytesMax = rawBytesMax } = this.#request;
      if (socket.connecting) this.#awaitConnection(socket);
      else this.#connected();
      // The limit of the body does not include interim responses. So this limit counts the bytes of the socket.
      this.#budget = setInterval(() => {
        if (socket.bytesRead - this.#bytesBefore > bytesMax) this.#stop.abort(overBudget(bytesMax));
      }, 50);
      this.#budget.unref();
    });
  }

  #receive(request: ClientRequest, message: IncomingMessage): void {
    const reader = new BodyReader(message);
    message.once('close', () => this.end());
    // Makes the parser emit each piece immediately. By default, a piece waits for the next tick, and an error in the
    // same packet discards the piece.
    message.read(0);
    // Parsers may disagree about the end of a malformed response. Its connection is therefore not reused.
    const headers = new ResponseHeaders(message.rawHeaders);
    this.#head?.stop();
    if (!this.#head?.isStrict || !isFramedOnce(message.statusCode, headers)) request.shouldKeepAlive = false;
    this.#received.resolve(this.#answer(message, headers, reader));
  }

  #answer(message: IncomingMessage, headers: ResponseHeaders, reader: BodyReader): FetchedResponse {
    const coding = headers.get('content-encoding');
    let isCut = false;
    return {
      status: message.statusCode ?? 0,
      headers,
      readBody: async (bytesMax) => {
        const body = await reader.readUpTo(bytesMax);
        const { content, isWhole } =
          coding === null ? { content: body, isWhole: true } : await decodeContent(body, coding, bytesMax);
        isCut = !isWhole || content.length >= bytesMax;
        return content;
      },
      hasEnded: () => message.readableEnded && !isCut,
      discard: () => {
        // A short body is read to its end, to keep the connection. The read is limited, in case the length is wrong.
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
    return this.#isConnected
      ? new FetchError('response_timeout', 'the target did not answer in time')
      : new FetchError('connect_timeout', 'no connection in time');
  }
}

// Up to this length, reading the body is cheaper than a new connection.
const drainBytesMax = 16 * 1024;

function overBudget(bytesMax: number): FetchError {
  return new FetchError('invalid_response', `The response has more than ${bytesMax} bytes.`);
}

// The head of a final response in the strict form of RFC 9112. No line is folded or ends in LF alone. The head has no
// control characters, and no interim response comes before it.
const strictHead =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this excludes control characters
  /^HTTP\/1\.[01] [2-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[^\x00-\x20:\x7f]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/;

const headEnd = '\r\n\r\n';

/** Records the next `bytesMax` bytes that arrive on a connection. */
class HeadRecord {
  readonly #socket: Socket;
  readonly #record: (part: Buffer) => void;
  // The record is a string, because a head may arrive byte by byte. A buffer would be copied for each byte, and an
  // array would hold a buffer per byte.
  #start = '';

  constructor(socket: Socket, bytesMax: number) {
    this.#socket = socket;
    this.#record = (part) => {
      if (this.#start.length < bytesMax)
        this.#start += part.toString('latin1', 0, bytesMax - this.#start.length);
    };
    // This listener must run before the HTTP parser. The parser emits the response while it reads the end of the head.
    socket.prependListener('data', this.#record);
  }

  stop(): void {
    this.#socket.off('data', this.#record);
  }

  get isHttp(): boolean {
    return this.#start.startsWith('HTTP/');
  }

  /** Returns true if the bytes begin with a response head in strict form. */
  get isStrict(): boolean {
    const end = this.#start.indexOf(headEnd);
    return end >= 0 && strictHead.test(this.#start.slice(0, end + headEnd.length));
  }
}

/**
 * Returns true if the headers give the body length exactly once (RFC 9112 section 6.3). A 204 or 304 has no body and
 * must give no length.
 */
function isFramedOnce(status: number | undefined, headers: ResponseHeaders): boolean {
  const lengths = headers.getAll('content-length');
  const codings = headers.getAll('transfer-encoding');
  if (status === 204 || status === 304) return lengths.length + codings.length === 0;
  const [coding = 'chunked'] = codings;
  return lengths.length + codings.length === 1 && coding.trim().toLowerCase() === 'chunked';
}
