import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import nodeFetch, { type Headers, type Response } from 'node-fetch';
import { type Agents, isResolving } from './agent.ts';
import { classify, FetchError, gaveUp } from './fetch-error.ts';
import type { ResolvedAddress } from './resolver.ts';
import { withoutFragment } from './url.ts';

/** The most raw bytes one request may bring, interim answers and headers included (docs/limits.md). */
export const rawBytesMax = 4 * 1024 * 1024;

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
}

/** An HTTP answer whose headers are here and whose body is still on its way. */
export interface FetchedResponse {
  /** 100 to 999. */
  status: number;
  headers: Headers;
  /**
   * The body, decoded, up to `bytesMax` and to the deadline: what came is returned, and a cut is not an
   * error. Its memory may hold more than the body.
   */
  readBody(bytesMax: number): Promise<Buffer>;
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
  const hop = new Hop(request);
  try {
    const response = await nodeFetch(withoutFragment(url.href), {
      method: request.method ?? 'GET',
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal: hop.signal,
      agent: hop.agentFor(url, request.agents),
    });
    // Above 599 means nothing in HTTP, but is sent, and read, as a refusal: LinkedIn's 999.
    if (response.status < 100 || response.status > 999) {
      throw new FetchError('invalid_response', `status ${response.status} is none`);
    }
    return hop.answer(response);
  } catch (error) {
    hop.end();
    throw hop.explain(error);
  }
}

/** One request under way: how far it came, what stopped it, and the limits that watch it. */
class Hop {
  readonly #request: FetchRequest;
  readonly #stop = new AbortController();
  readonly #giveUp = () => this.#stop.abort();
  #socket: Socket | undefined;
  #isConnected = false;
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
          const { addresses } = this.#request;
          const pinned = addresses ? { ...options, addresses } : options;
          (agent as unknown as { addRequest(...args: unknown[]): void }).addRequest(request, pinned, ...rest);
        },
      },
    });
  }

  answer(response: Response): FetchedResponse {
    const body = response.body as Readable | null;
    // Errors after the headers are no news: the status is known, and a broken body is a short one.
    body?.on('error', noNews);
    body?.once('close', () => this.end());
    return {
      status: response.status,
      headers: response.headers,
      readBody: (bytesMax) => readUpTo(body, bytesMax),
      discard: () => this.#discard(response),
    };
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
      this.#stop.abort(new FetchError('invalid_response', 'another protocol, unasked'));
    });
    request.once('socket', (socket: Socket) => {
      this.#socket = socket;
      const bytesBefore = socket.bytesRead;
      if (socket.connecting) this.#awaitConnection(socket);
      else this.#connected();
      // A flood of interim answers never reaches the body's limit; only the socket knows of it.
      this.#budget = setInterval(() => {
        if (socket.bytesRead - bytesBefore > rawBytesMax) this.#stop.abort(overBudget());
      }, 50);
      this.#budget.unref();
    });
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

  #discard(response: Response): void {
    const body = response.body as (Readable & { destroy(): void }) | null;
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    // The length is that of the body as sent; what it unpacks to is counted while reading.
    if (length <= drainBytesMax) {
      void readUpTo(body, drainBytesMax).then(() => this.end());
    } else {
      this.#stop.abort();
      // Here and not at the body's close: node-fetch leaves the body of an aborted answer open.
      this.end();
    }
  }
}

function noNews(): void {}

// Below this, reading the rest is cheaper than another connection.
const drainBytesMax = 16 * 1024;

function overBudget(): FetchError {
  return new FetchError('invalid_response', `more than ${rawBytesMax} bytes`);
}

function readUpTo(body: Readable | null, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    let isDone = false;
    const finish = () => {
      // One that ends closes too, and a page put together twice is a MiB more to collect.
      if (isDone) return;
      isDone = true;
      const [first] = parts;
      // Small pages come in one piece, which need not be copied.
      const isWhole = first !== undefined && parts.length === 1;
      resolve(isWhole ? first.subarray(0, bytesMax) : Buffer.concat(parts, Math.min(bytes, bytesMax)));
    };
    if (!body) return finish();
    body.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes >= bytesMax) body.destroy();
    });
    body.on('close', finish);
    body.on('end', finish);
  });
}
