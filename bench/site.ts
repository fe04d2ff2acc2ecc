/**
 * A site to be checked: the same small page at every path, after `delay` ms, on ten loopback addresses, so that the
 * limit per host is not what is measured. `/links?count=2000` is a page that links to as many others.
 * `node bench/site.ts [delay ms]` prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const delayMs = Number(process.argv[2] ?? 0);
const paragraph = `<p>${'Good shoes for every road, and for none. '.repeat(8)}</p>`;
const body = `<!doctype html><html lang="en"><head><title>Shoes</title></head><body><main><h1>Shoes</h1>${paragraph.repeat(
  20,
)}</main></body></html>`;

export const hosts = Array.from({ length: 10 }, (_, index) => `127.0.0.${index + 1}`);

if (import.meta.main) {
  const port = await listen('127.0.0.1', 0);
  for (const host of hosts.slice(1)) await listen(host, port);
  process.stdout.write(`ready ${port}\n`);
}

function listen(host: string, port: number): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site');
    const links = Number(searchParams.get('count') ?? 0);
    const page =
      pathname === '/links' ? linksTo(Number((server.address() as AddressInfo).port), links) : body;
    const answer = () => res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
  return new Promise((resolve) => {
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function linksTo(port: number, count: number): string {
  return urls(port, count)
    .map((url) => `<a href="${url}">x</a>`)
    .join('');
}

/** Addresses of the site, spread over its hosts. */
export function urls(port: number, count: number, path = 'page'): string[] {
  return Array.from(
    { length: count },
    (_, index) => `http://${hosts[index % hosts.length]}:${port}/${path}/${index}`,
  );
}
