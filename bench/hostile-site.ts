/**
 * Serves a hostile input on all loopback addresses, but at `/quick` a short page and, until it is asked for `/begin`, a
 * short sitemap at any other path. `node bench/hostile-site.ts <name>` prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostileInputs } from './hostile-inputs.ts';

const input = hostileInputs[process.argv[2] ?? '']?.();
if (!input) throw new Error(`There is no input ${process.argv[2]}.`);
const made = new Map<string, ReturnType<typeof input.serve>>();
let isHostile = false;

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const path = req.url ?? '/';
  const origin = `http://${req.headers.host}`;
  if (path === '/begin') isHostile = true;
  if (path === '/begin' || path.startsWith('/quick'))
    return void res.end('<title>Shoes</title><h1>Shoes</h1><p>Good.</p>');
  if (!isHostile) {
    if (path === '/robots.txt') return void res.end('Sitemap: /honest.xml');
    return void res.end(`<urlset><url><loc>${origin}/quick</loc></url></urlset>`);
  }
  const answer = made.get(path) ?? input.serve(path, origin);
  if (made.size < 25) made.set(path, answer);
  if (!answer) return void res.writeHead(404).end();
  const encoding = answer.encoding ? { 'Content-Encoding': answer.encoding } : {};
  const type = input.kind === 'page' ? 'text/html; charset=utf-8' : 'application/octet-stream';
  res.writeHead(200, { 'Content-Type': type, ...encoding }).end(answer.body);
});
server.listen(0, '0.0.0.0', () => process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`));
