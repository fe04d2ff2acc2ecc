import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestSite {
  /** Without a slash at the end. */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Asks for an answer that is not compressed, which costs more than most answers do. */
export const asItIs = { 'Accept-Encoding': 'identity' };

/** A real HTTP server on loopback, on `127.0.0.1` alone unless told otherwise. */
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

/** A site that keeps everyone waiting until it is let go. */
export interface HeldSite extends TestSite {
  /** How many wait. */
  held(): number;
  /** How many waited at once at most. */
  most(): number;
  letGo(): void;
}

/** Starts one; close it only after letting go. */
export async function serveHeld(): Promise<HeldSite> {
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  let held = 0;
  let most = 0;
  const site = await serve(async (_req, res) => {
    held += 1;
    most = Math.max(most, held);
    await isLetGo;
    held -= 1;
    res.end('late');
  });
  return { ...site, held: () => held, most: () => most, letGo };
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

/** A site with one page of each kind; whatever follows a `?` is ignored. */
export function serveSite(): Promise<TestSite> {
  return serve((req, res) => {
    const path = new URL(req.url ?? '/', 'http://site').pathname;
    const page = pages[path] ?? pages['/missing'];
    res.writeHead(page?.status ?? 404, { 'Content-Type': 'text/html; charset=utf-8', ...page?.headers });
    res.end(page?.body);
  });
}
