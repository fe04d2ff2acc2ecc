/**
 * Servers outside of the service: targets and a search provider. Targets below `/hang/` never respond, and targets
 * below `/slow/` take `slow ms`. Pages at `/worst/<number>` are expensive to read. All other targets respond
 * immediately. The provider has Serper's format and takes `search ms`. `node bench/outside.ts <slow ms> <search ms>`
 * listens on all interfaces and prints its port. After the line `release`, `/hang/` responds immediately; after `hold`
 * it hangs again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { asSerper } from '../test/support/google.ts';
import { worstPages } from '../test/support/worst-pages.ts';

const [slowMs = 0, searchMs = 0] = process.argv.slice(2).map(Number);
const html = { 'Content-Type': 'text/html; charset=utf-8' };
const page = `<!doctype html><title>Shoes</title><h1>Shoes</h1>${'<p>Good shoes for every road.</p>'.repeat(20)}`;
const worst = Object.values(worstPages).map((made) => gzipSync(made));
const hanging = new Set<ServerResponse>();
let isHeld = true;

const server = createServer(
  { keepAliveTimeout: 60_000, requestTimeout: 0 },
  (req, res) => void answer(req, res),
);
server.listen({ port: 0, host: '0.0.0.0', backlog: 4096 }, () => {
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
});

for await (const line of createInterface({ input: process.stdin })) {
  isHeld = line !== 'release';
  const released = isHeld ? [] : [...hanging];
  for (const res of released) sendPage(res);
  process.stdout.write(`ready ${released.length}\n`);
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [, kind, number] = (req.url ?? '').split('/');
  if (kind === 'search') return search(req, res);
  req.resume();
  if (kind === 'hang' && isHeld) {
    hanging.add(res);
    res.once('close', () => hanging.delete(res));
  } else if (kind === 'slow') setTimeout(() => sendPage(res), slowMs);
  else if (kind === 'worst')
    res.writeHead(200, { ...html, 'Content-Encoding': 'gzip' }).end(worst[Number(number) % worst.length]);
  else sendPage(res);
}

function sendPage(res: ServerResponse): void {
  res.writeHead(200, html).end(page);
}

async function search(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const asked = JSON.parse(await text(req));
  setTimeout(() => {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(asSerper(asked)));
  }, searchMs);
}
