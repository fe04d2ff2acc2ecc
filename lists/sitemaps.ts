import type { SitemapDocument } from './sitemap-document.ts';

/** An index may name indexes of sitemaps, and these name no more of them. */
const indexLevelsMax = 2;

/** A sitemap of several, or why it was not read: `limit` when one of the limits was reached before. */
export type WalkStep = { address: string } & (
  | { document: SitemapDocument; problem: null }
  | { document: null; problem: 'limit' | 'index_too_deep' }
);

export interface Walk {
  /** Fetches and reads one, with at most so many sitemaps of an index. */
  read(address: string, indexMax: number): Promise<SitemapDocument | null>;
  /** Asked before each: whether there is time and room for one more. */
  canRead(): boolean;
  /** How many sitemaps are named at most of one index. */
  indexMax: number;
}

/**
 * Reads sitemaps one after the other, those of an index in its place, none twice. Each step is a list of pages, or what
 * was not read; a reading that answers null, having reported its fault itself, is no step.
 */
export async function* walkSitemaps(addresses: string[], walk: Walk): AsyncGenerator<WalkStep> {
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
