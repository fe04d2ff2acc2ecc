/**
 * A site to be checked: a page of 33 KB of HTML, the median of the web (HTTP Archive), at every path, after
 * `delay` ms, on ten loopback addresses, so that the limit per host is not what is measured. `node
 * bench/site.ts [delay ms]` prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const delayMs = Number(process.argv[2] ?? 0);
const menu =
  '<li class="nav-item"><a class="nav-link" href="/category/shoes">Shoes for every road</a></li>'.repeat(60);
const paragraph = `<p class="text">${'Good shoes for every road, and for none. '.repeat(10)}</p>`;
const card = `<div class="card"><img src="/shoe.jpg" alt="A shoe"><h3>A shoe</h3><p>Light and strong.</p></div>`;
const script = `<script>window.data=${JSON.stringify(Array(60).fill({ id: 1, name: 'A shoe', price: 99 }))}</script>`;
const body = `<!doctype html><html lang="en"><head><title>Shoes for every road</title>${script}</head><body>
<nav><ul>${menu}</ul></nav><main><h1>Shoes</h1>${(paragraph + card.repeat(3)).repeat(34)}</main></body></html>`;

export const hosts = Array.from({ length: 10 }, (_, index) => `127.0.0.${index + 1}`);

if (import.meta.main) {
  const port = await listen('127.0.0.1', 0);
  for (const host of hosts.slice(1)) await listen(host, port);
  process.stdout.write(`ready ${port}\n`);
}

function listen(host: string, port: number): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (_req, res) => {
    const answer = () => res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
  return new Promise((resolve) => {
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Addresses of the site, spread over its hosts. */
export function urls(port: number, count: number, path = 'page'): string[] {
  return Array.from(
    { length: count },
    (_, index) => `http://${hosts[index % hosts.length]}:${port}/${path}/${index}`,
  );
}
