import type { Figure } from './figures.ts';
import { benchBulk } from './neighbours/bulk.ts';
import { benchDeliveries } from './neighbours/deliveries.ts';
import { benchReads } from './neighbours/reads.ts';
import { benchSearches } from './neighbours/searches.ts';
import { benchSingles } from './neighbours/singles.ts';

const kinds: Record<string, () => Promise<Figure[]>> = {
  bulk: benchBulk,
  singles: benchSingles,
  searches: benchSearches,
  deliveries: benchDeliveries,
  reads: benchReads,
};

/**
 * What an account gets beside 1, 4, 20 and 100 others that ask for as much as they can, against what
 * docs/limits.md promises. Each kind of work has a stack of its own, so that what a crowd leaves
 * behind is not measured with the next.
 */
export async function* benchNeighbours(only: string): AsyncGenerator<Figure> {
  for (const [kind, bench] of Object.entries(kinds)) if (kind.includes(only)) yield* await bench();
}
