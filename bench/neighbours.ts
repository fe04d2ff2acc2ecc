import type { Figure } from './figures.ts';
import { benchBulk } from './neighbours/bulk.ts';
import { benchDeliveries } from './neighbours/deliveries.ts';
import { benchReads } from './neighbours/reads.ts';
import { benchSearches } from './neighbours/searches.ts';
import { benchSingles } from './neighbours/singles.ts';

/**
 * What an account gets beside 1, 4, 20 and 100 others that ask for as much as they can, against what
 * docs/limits.md promises under "Shares". Each kind of work has a stack of its own, so that what a crowd leaves
 * behind is not measured with the next.
 */
export async function benchNeighbours(): Promise<Figure[]> {
  return [
    ...(await benchBulk()),
    ...(await benchSingles()),
    ...(await benchSearches()),
    ...(await benchDeliveries()),
    ...(await benchReads()),
  ];
}
