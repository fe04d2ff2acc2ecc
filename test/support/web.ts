import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestSite {
  /** Without a slash at the end. */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Requests an uncompressed answer: compression costs more than most answers do. */
export const uncompressed = { 'Accept-Encoding': 'identity' };

/** Starts an HTTP server on loopback. */
export async function serve(handler: RequestListener, at = '127.0.0.1'): Promise<TestSite> {
  const server = createServer({ keepAliveTimeout: 60_000 }, handler);
  await new Promise<void>((resolve) => server.listen(0, at, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Runs a site for a suite, by default that of `serveSite`. Its fields are set when the suite's hooks have run. */
export function useSite(handler: RequestListener = answerPage, at?: string): TestSite {
  const site = {} as TestSite;
  before(async () => void Object.assign(site, await serve(handler, at)));
  after(() => site.close());
  return site;
}

/** A site that holds its answers back until they are released. */
export interface HeldSite extends TestSite {
  /** Requests that wait. */
  held(): number;
  /** Maximum number of requests that waited at the same time. */
  most(): number;
  release(): void;
}

/** Starts a held site. Release it before closing it. */
export async function serveHeld(): Promise<HeldSite> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let held = 0;
  let most = 0;
  const site = await serve(async (_req, res) => {
    held += 1;
    most = Math.max(most, held);
    await released;
    held -= 1;
    res.end('late');
  });
  return { ...site, held: () => held, most: () => most, release };
}

export const pages: Record<string, { status: number; body: string; headers?: Record<string, string> }> = {
  '/good': { status: 200, body: '<title>Shoes</title><h1>Shoes</h1><p>We sell many good shoes.</p>' },
  '/missing': { status: 404, body: '<title>Not found</title>' },
  '/soft': {
    status: 200,
    body: '<title>Page not found</title><h1>Page not found</h1><p>The page you are looking for does not exist.</p>',
  },
  '/moved': { status: 301, body: '', headers: { Location: '/good' } },
  '/loop': { status: 302, body: '', headers: { Location: '/loop' } },
  '/broken': { status: 500, body: '<title>Error</title>' },
};

/** Starts a site with one page of each kind. It ignores queries. */
export function serveSite(): Promise<TestSite> {
  return serve(answerPage);
}

const answerPage: RequestListener = (req, res) => {
  const path = new URL(req.url ?? '/', 'http://site').pathname;
  const page = pages[path] ?? pages['/missing'];
  res.writeHead(page?.status ?? 404, { 'Content-Type': 'text/html; charset=utf-8', ...page?.headers });
  res.end(page?.body);
};
