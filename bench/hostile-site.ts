/**
 * Serves a hostile input on all interfaces. `/quick` is a short page. Until a request for `/begin`, `/robots.txt` names
 * a sitemap and every other path is a short sitemap. `node bench/hostile-site.ts <name>` prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  hostileBodies,
  hostileFeed,
  hostileHosts,
  hostileIndex,
  hostileRobots,
} from '../test/support/hostile-sitemaps.ts';

/** A page or sitemap made to slow down its reader or to fill its memory. */
interface HostileInput {
  kind: 'page' | 'sitemap';
  /** The path to request; `/` means that web or worker reads `/robots.txt`. */
  path: string;
  /** Paths whose responses are made before the measurement, because making them takes CPU time. Default: `path`. */
  prepared?: string[];
  /** Returns the response body for a path; null for a 404. */
  serve(path: string, origin: string): { body: Buffer; encoding?: 'gzip' } | null;
}

/** Creates a page of 1 MiB, sent with gzip. */
function page(...parts: Array<[piece: string, bytes: number]>): HostileInput {
  const html = parts.map(([piece, bytes]) => piece.repeat(Math.ceil(bytes / piece.length))).join('');
  const body = gzipSync(html.slice(0, 1024 * 1024));
  return { kind: 'page', path: '/page', serve: () => ({ body, encoding: 'gzip' }) };
}

const mib = 1024 * 1024;

/** Hostile inputs by name. Each is measured in web and in worker. Add new cases here. */
export const hostileInputs: Record<string, () => HostileInput> = {
  'page: scripts in comments in scripts': () => page(['\u202e', 1], ['--><script><!--<script>', mib]),
  'page: tags without end': () => page(['<a b=', mib]),
  'page: deep nesting': () => page(['<div><p>', mib]),
  'sitemap: 250,000 in robots.txt': () => ({
    kind: 'sitemap',
    path: '/',
    prepared: ['/robots.txt', '/index/1/0', ...Array.from({ length: 19 }, (_, n) => `/index/2/0-${n}`)],
    serve: (path, origin) => ({
      body: Buffer.from(path === '/robots.txt' ? hostileRobots(origin) : hostileIndex(origin, path)),
    }),
  }),
  'sitemap: hosts that take long to read, in robots.txt': () => {
    const [robots, nothing] = [hostileHosts(), Buffer.alloc(0)];
    return {
      kind: 'sitemap',
      path: '/',
      serve: (path) => ({ body: path === '/robots.txt' ? robots : nothing }),
    };
  },
  'sitemap: short links of a feed at a long address': () => {
    const body = hostileFeed();
    return { kind: 'sitemap', path: `/${'p'.repeat(1900)}/feed`, serve: () => ({ body }) };
  },
  'sitemap: indexes of 50,000 indexes': () => ({
    kind: 'sitemap',
    path: '/index/1/0',
    serve: (path, origin) => ({ body: Buffer.from(hostileIndex(origin, path)) }),
  }),
  'sitemap: 50,000 URLs of an honest site': () => {
    const entries = Array.from(
      { length: 50_000 },
      (_, n) => `<url><loc>https://shop.example/p/${n}</loc></url>`,
    );
    const body = gzipSync(`<urlset>${entries.join('\n')}</urlset>`);
    return { kind: 'sitemap', path: '/sitemap.xml', serve: () => ({ body }) };
  },
  ...Object.fromEntries(
    Object.entries(hostileBodies).map(([what, make]) => [
      `sitemap: ${what}`,
      (): HostileInput => {
        const body = make();
        return { kind: 'sitemap', path: '/sitemap.xml', serve: () => ({ body }) };
      },
    ]),
  ),
};

if (import.meta.main) {
  const input = hostileInputs[process.argv[2] ?? '']?.();
  if (!input) throw new Error(`Unknown input: ${process.argv[2]}.`);
  serve(input);
}

function serve(input: HostileInput): void {
  const made = new Map<string, ReturnType<HostileInput['serve']>>();
  let isHostile = false;
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const path = req.url ?? '/';
    const origin = `http://${req.headers.host}`;
    if (path === '/begin') {
      for (const each of input.prepared ?? [input.path]) made.set(each, input.serve(each, origin));
      isHostile = true;
    }
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
  server.listen(0, '0.0.0.0', () =>
    process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`),
  );
}
