import { gzipSync } from 'node:zlib';

const bytesPerMib = 1024 * 1024;
const fill = (piece: string, mib: number) => piece.repeat(Math.floor((mib * bytesPerMib) / piece.length));
const begun = '<urlset><url><loc>';

/**
 * Bodies that are expensive to read and cheap to send. They have `mib` MiB after decompression. At most 15.9 MiB are
 * read.
 */
export const hostileBodies: Record<string, (mib?: number) => Buffer> = {
  'newlines alone': (mib = 15.9) => gzipSync(fill('\n', mib)),
  'spaces and newlines in a loc': (mib = 15.9) => gzipSync(begun + fill(' \n', mib)),
  'a huge comment': (mib = 15.9) => gzipSync(`${begun}<!--${fill('- ', mib)}`),
  'a million entities': (mib = 15.9) => gzipSync(begun + fill('&#x26;&amp;', mib)),
  'a million ampersands': (mib = 15.9) => gzipSync(begun + fill('&', mib)),
  'entities that name each other': (mib = 15) =>
    gzipSync(`<!DOCTYPE urlset [<!ENTITY a "${'a'.repeat(100_000)}">]>${begun}${fill('&a;', mib)}`),
  'a tag that is never closed': (mib = 15.9) => gzipSync(`<${fill('a', mib)}`),
  'an attribute that is never closed': (mib = 15.9) => gzipSync(`<urlset xmlns="${fill('a', mib)}`),
  'attributes without end': (mib = 15.9) => gzipSync(`<urlset ${fill('xmlns:a="b" ', mib)}`),
  'nothing but <': (mib = 9.9) => Buffer.from(fill('<', mib)),
  'deep nesting': (mib = 15.9) => gzipSync(fill('<a>', mib)),
  'deep nesting of prefixes': (mib = 15.9) => gzipSync(fill('<a:b xmlns:c="d">', mib)),
  'ends without a beginning': (mib = 15.9) => gzipSync(begun + fill('</a>', mib)),
  'sections of CDATA': (mib = 15.9) => gzipSync(begun + fill('<![CDATA[]]>', mib)),
  'a section of CDATA full of its end': (mib = 15.9) => gzipSync(`${begun}<![CDATA[${fill(']', mib)}`),
  'a million empty locs': (mib = 15) => gzipSync(`<urlset>${fill('<url><loc/></url>', mib)}`),
  '128 MiB in 128 KB of gzip': () => gzipSync(Buffer.alloc(128 * bytesPerMib, ' ')),
};

/** A robots.txt with as many sitemaps as fit. */
export const hostileRobots = (origin: string) =>
  Array.from({ length: 250_000 }, (_, n) => `Sitemap: ${origin}/index/1/${n}`).join('\n');

/** A robots.txt of 16 MiB with sitemaps at invalid hosts whose ASCII form takes long to compute. */
export function hostileHosts(): Buffer {
  const letters = Array.from({ length: 2083 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
  const line = `Sitemap:http://${letters}%00/\n`;
  return gzipSync(line.repeat(Math.floor((15.9 * bytesPerMib) / Buffer.byteLength(line))));
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
