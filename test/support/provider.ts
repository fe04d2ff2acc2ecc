import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  askForPage,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpProvider,
  type SerpRequest,
} from '../../checks/search/serp.ts';

/** What a provider is to answer: JSON unless `body` is a string. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
  /** Answer only after this long. */
  delayMs?: number;
}

export interface SeenRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A provider's server on loopback: says what it is told to, remembers what it was asked. */
export interface ProviderServer {
  baseUrl: string;
  seen: SeenRequest[];
  willAnswer(answer: Answer | ((request: SeenRequest) => Answer)): void;
  close(): Promise<void>;
}

export async function startProvider(): Promise<ProviderServer> {
  let answer: Answer | ((request: SeenRequest) => Answer) = { status: 500, body: 'nothing prepared' };
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'http://provider.example');
    const asked = {
      method: request.method ?? '',
      url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    seen.push(asked);
    const {
      status = 200,
      headers = {},
      body,
      delayMs = 0,
    } = typeof answer === 'function' ? answer(asked) : answer;
    setTimeout(() => {
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    willAnswer(next) {
      answer = next;
      seen.length = 0;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** One page of a provider, asked for as `serpRequest` says. */
export function askOnePage(provider: SerpProvider, changes: Partial<SerpRequest> = {}): Promise<Serp> {
  return askForPage(provider, serpRequest(changes), AbortSignal.timeout(30_000));
}

/** A request as an index check makes it, unless told otherwise. */
export function serpRequest(changes: Partial<SerpRequest> = {}): SerpRequest {
  const request: SerpRequest = {
    query: 'red shoes',
    country: 'US',
    language: 'en',
    device: 'desktop',
    page: 1,
    isUnfiltered: true,
  };
  return { ...request, ...changes };
}

/** The failure of a promise or function that must not give an answer, of this kind. */
export async function expectFailure(kind: ProviderErrorKind, act: () => unknown): Promise<ProviderError> {
  let answer: unknown;
  try {
    answer = await act();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    expect(error.kind, error.message).to.equal(kind);
    return error;
  }
  throw new Error(`expected ${kind}, got ${JSON.stringify(answer)}`);
}
