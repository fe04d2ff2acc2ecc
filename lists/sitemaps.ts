import type { SitemapDocument } from './sitemap-document.ts';

/** An index can list indexes. Indexes that these list are not read. */
const indexLevelsMax = 2;

/** A sitemap that was read, or the reason why it was not. `limit`: a limit was reached earlier. */
type WalkStep = { address: string } & (
  | { document: SitemapDocument; problem: null }
  | { document: null; problem: 'limit' | 'index_too_deep' }
);

interface WalkOptions {
  /** Fetches and reads a sitemap or a sitemap index, with up to `indexMax` sitemaps. Returns null if this fails. */
  read(address: string, indexMax: number): Promise<SitemapDocument | null>;
  /** Returns whether another sitemap may be read. Called before each. */
  canRead(): boolean;
  indexMax: number;
}

/**
 * Reads sitemaps one after the other, each once; an index is replaced by its sitemaps. Yields lists of pages, and
 * sitemaps that were not read. Yields nothing for a sitemap for which `read` returns null.
 */
export async function* walkSitemaps(addresses: string[], walk: WalkOptions): AsyncGenerator<WalkStep> {
  const known = new Set(addresses);
  const waiting = [...known].reverse().map((address) => ({ address, level: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { address, level } = next;
    if (!walk.canRead()) {
      yield { address, document: null, problem: 'limit' };
      continue;
    }
    const isDeepest = level === indexLevelsMax;
    const document = await walk.read(address, isDeepest ? 0 : walk.indexMax);
    if (!document) continue;
    if (document.kind !== 'index') {
      yield { address, document, problem: null };
    } else if (isDeepest) {
      yield { address, document: null, problem: 'index_too_deep' };
    } else {
      const named = document.addresses.filter((child) => known.size < known.add(child).size);
      waiting.push(...named.reverse().map((child) => ({ address: child, level: level + 1 })));
    }
  }
}
