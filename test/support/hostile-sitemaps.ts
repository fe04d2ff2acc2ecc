import { gzipSync } from 'node:zlib';

const mib = 1024 * 1024;
const fill = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length));
const begun = '<urlset><url><loc>';

/** Bodies that cost much to read and little to send: 16 MiB decompressed, or 10 MiB uncompressed. */
export const hostileBodies: Record<string, () => Buffer> = {
  'newlines in 16 KB of gzip': () => gzipSync(fill('\n', 15.9 * mib)),
  'spaces and newlines in a loc': () => gzipSync(begun + fill(' \n', 15.9 * mib)),
  'a huge comment': () => gzipSync(`${begun}<!--${fill('- ', 15.9 * mib)}`),
  'a million entities': () => gzipSync(begun + fill('&#x26;&amp;', 15.9 * mib)),
  'a million ampersands': () => gzipSync(begun + fill('&', 15.9 * mib)),
  'entities that name each other': () =>
    gzipSync(`<!DOCTYPE urlset [<!ENTITY a "${'a'.repeat(100_000)}">]>${begun}${fill('&a;', 15 * mib)}`),
  'a tag that is never closed': () => gzipSync(`<${fill('a', 15.9 * mib)}`),
  'an attribute that is never closed': () => gzipSync(`<urlset xmlns="${fill('a', 15.9 * mib)}`),
  'attributes without end': () => gzipSync(`<urlset ${fill('xmlns:a="b" ', 15.9 * mib)}`),
  'ten MiB of <': () => Buffer.from(fill('<', 10 * mib - 1)),
  'deep nesting': () => gzipSync(fill('<a>', 15.9 * mib)),
  'deep nesting of prefixes': () => gzipSync(fill('<a:b xmlns:c="d">', 15.9 * mib)),
  'ends without a beginning': () => gzipSync(begun + fill('</a>', 15.9 * mib)),
  'sections of CDATA': () => gzipSync(begun + fill('<![CDATA[]]>', 15.9 * mib)),
  'a section of CDATA full of its end': () => gzipSync(`${begun}<![CDATA[${fill(']', 15.9 * mib)}`),
  'a million empty locs': () => gzipSync(`<urlset>${fill('<url><loc/></url>', 15 * mib)}`),
  '128 MiB in 128 KB of gzip': () => gzipSync(Buffer.alloc(128 * mib, ' ')),
};

/** A robots.txt with as many sitemaps as fit. */
export const hostileRobots = (origin: string) =>
  Array.from({ length: 250_000 }, (_, n) => `Sitemap: ${origin}/index/1/${n}`).join('\n');

/** A robots.txt of 16 MiB with sitemaps at invalid hosts whose ASCII form takes long to compute. */
export function hostileHosts(): Buffer {
  const letters = Array.from({ length: 2083 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
  const line = `Sitemap:http://${letters}%00/\n`;
  return gzipSync(line.repeat(Math.floor((15.9 * mib) / Buffer.byteLength(line))));
}

/** A feed with relative links, which become as long as its own URL. */
export const hostileFeed = () => gzipSync(`<feed>${'<entry><link href="a"/></entry>'.repeat(50_000)}</feed>`);

/** An index of 50,000 indexes. `/index/<level>/<n>` lists those of the next level. */
export function hostileIndex(origin: string, path: string): string {
  const [, , level, number] = path.split('/');
  const locs = Array.from(
    { length: 50_000 },
    (_, n) => `<sitemap><loc>${origin}/index/${Number(level) + 1}/${number}-${n}</loc></sitemap>`,
  );
  return `<sitemapindex>${locs.join('')}</sitemapindex>`;
}
