/**
 * A target site. After `delay` ms, it sends a page of 33 KB of HTML, the median of the web (HTTP Archive). At paths
 * that begin with `/small`, the page has 3 KB. The site has ten loopback addresses, so that the limit per host does not
 * matter. `node bench/site.ts [delay ms] [tls]` prints its port; with TLS it has one address and closes each
 * connection.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const delayMs = Number(process.argv[2] ?? 0);
const isSecure = process.argv[3] === 'tls';
const menu =
  '<li class="nav-item"><a class="nav-link" href="/category/shoes">Shoes for every road</a></li>'.repeat(60);
const paragraph = `<p class="text">${'Good shoes for every road, and for none. '.repeat(10)}</p>`;
const card = `<div class="card"><img src="/shoe.jpg" alt="A shoe"><h3>A shoe</h3><p>Light and strong.</p></div>`;
const script = `<script>window.data=${JSON.stringify(Array(60).fill({ id: 1, name: 'A shoe', price: 99 }))}</script>`;
const body = `<!doctype html><html lang="en"><head><title>Shoes for every road</title>${script}</head><body>
<nav><ul>${menu}</ul></nav><main><h1>Shoes</h1>${(paragraph + card.repeat(3)).repeat(34)}</main></body></html>`;
const line = '<p class="text">Good shoes for every road, light and strong, sent within two days.</p>';
const small = `<!doctype html><html lang="en"><head><title>Shoes for every road</title><link rel="canonical" href="/shoes">
</head><body><nav><ul>${menu.slice(0, menu.length / 10)}</ul></nav><main><h1>Shoes</h1>${(line + card).repeat(11)}</main></body></html>`;

const hosts = Array.from({ length: 10 }, (_, index) => `127.0.0.${index + 1}`);

if (import.meta.main) {
  const port = await listen('127.0.0.1', 0);
  for (const host of isSecure ? [] : hosts.slice(1)) await listen(host, port);
  process.stdout.write(`ready ${port}\n`);
}

function listen(host: string, port: number): Promise<number> {
  const server = isSecure
    ? createSecureServer({ key: pem('leaf.key'), cert: pem('good.pem') }, answer)
    : createServer({ keepAliveTimeout: 60_000 }, answer);
  return new Promise((resolve) => {
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function answer(req: IncomingMessage, res: ServerResponse): void {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    ...(isSecure ? { Connection: 'close' } : {}),
  };
  const send = () => res.writeHead(200, headers).end(req.url?.startsWith('/small') ? small : body);
  if (delayMs > 0) setTimeout(send, delayMs);
  else send();
}

function pem(name: string): Buffer {
  return readFileSync(new URL(`../test/support/certificates/${name}`, import.meta.url));
}

/** Returns URLs of the site, spread over its hosts; `https` has only the first host. */
export function siteUrls(port: number, count: number, path = 'page', scheme = 'http'): string[] {
  const names = scheme === 'https' ? hosts.slice(0, 1) : hosts;
  return Array.from(
    { length: count },
    (_, index) => `${scheme}://${names[index % names.length]}:${port}/${path}/${index}`,
  );
}
