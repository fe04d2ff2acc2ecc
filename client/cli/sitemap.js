import { UsageError } from './exit-codes.js';

const childrenMax = 1000;
const gzipStart = [0x1f, 0x8b];

/**
 * The addresses in a sitemap, those of an index sitemap by sitemap. Throws a UsageError for what is no
 * sitemap, and for an index of more than 1,000, after which nobody would know what is missing.
 */
export async function* readSitemap(address, signal) {
  const { isIndex, addresses } = await readOne(address, signal);
  if (!isIndex) return yield* addresses;
  if (addresses.length > childrenMax)
    throw new UsageError(`${address} lists more than ${childrenMax} sitemaps`);
  for (const child of addresses) {
    const inner = await readOne(child, signal);
    if (inner.isIndex) throw new UsageError(`${child} is an index within an index`);
    yield* inner.addresses;
  }
}

async function readOne(address, signal) {
  const text = await textAt(address, signal);
  const isIndex = /<sitemapindex[\s>]/.test(text);
  if (!isIndex && !/<urlset[\s>]/.test(text)) throw new UsageError(`${address} is no sitemap`);
  const addresses = Array.from(text.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]*)/g), ([, loc]) =>
    plain(loc.trim()),
  );
  return { isIndex, addresses: addresses.filter((loc) => loc !== '') };
}

async function textAt(address, signal) {
  const response = await fetch(address, { signal }).catch((cause) => {
    if (signal?.aborted) throw signal.reason;
    throw new UsageError(`${address} cannot be reached`, { cause });
  });
  if (!response.ok) throw new UsageError(`${address} answered ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!gzipStart.every((byte, index) => bytes[index] === byte)) return new TextDecoder().decode(bytes);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).text();
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(text) {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name) => entities[name]);
}
