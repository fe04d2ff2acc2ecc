import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { requestRange } from '../../checks/search/reader.ts';
import {
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpPage,
  type SerpProvider,
  type SerpRequest,
  toSerp,
} from '../../checks/search/serp.ts';

/** Answer of a provider: JSON unless `body` is a string. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
  delayMs?: number;
}

export interface SeenRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

type NextAnswer = Answer | ((request: SeenRequest) => Answer | Promise<Answer>);

/** A provider's server on loopback. It gives the prepared answer and records the requests in `seen`. */
export interface ProviderServer {
  baseUrl: string;
  seen: SeenRequest[];
  willAnswer(answer: NextAnswer): void;
  close(): Promise<void>;
}

export async function startProvider(): Promise<ProviderServer> {
  let answer: NextAnswer = { status: 500, body: 'nothing prepared' };
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
    } = await (typeof answer === 'function' ? answer(asked) : answer);
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

/** Runs a provider's server for a suite. Its fields are set when the suite's hooks have run. */
export function useProviderServer(): ProviderServer {
  const server = {} as ProviderServer;
  before(async () => void Object.assign(server, await startProvider()));
  after(() => server.close());
  return server;
}

/** Runs a provider with its server for a suite. Its fields are set when the suite's hooks have run. */
export function useProvider(make: (baseUrl: string) => SerpProvider) {
  const server = useProviderServer();
  const provider = {} as SerpProvider;
  before(() => void Object.assign(provider, make(server.baseUrl)));
  return { server, provider, search: (changes?: Partial<SerpRequest>) => askOnePage(provider, changes) };
}

/** Requests one page from a provider. */
export async function askOnePage(provider: SerpProvider, changes: Partial<SerpRequest> = {}): Promise<Serp> {
  const { page, ...query } = serpRequest(changes);
  const { pages } = await requestRange(provider, query, { from: page, to: page, stopAt: null });
  const { page: _page, pagesRead: _pagesRead, ...serp } = pages[0] as SerpPage;
  if ('search' in provider) return serp;
  return toSerp(
    pages.flatMap(({ results }) => results),
    serp.featuredSnippetUrl,
  );
}

/** A request of an index check, with changes. */
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

/** Returns the ProviderError of `act`. Fails if `act` throws no such error, or one of another kind. */
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
