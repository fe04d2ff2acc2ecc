import { withoutFragment } from '../../net/url.ts';
import type { SerpPage } from './serp.ts';

/** Google counts ten results per page, however many it shows. So a search that starts at page 3 begins with rank 21. */
const nominalResultsPerPage = 10;

/** A result. If it occurs several times, its first position is used. */
export interface RankedResult {
  /** Number of different URLs from the top of page 1 to this result, inclusive. */
  rank: number;
  url: string;
  title: string;
  /** Null when the provider does not separate pages. */
  page: number | null;
  positionOnPage: number | null;
}

/** Returns the rank of the last result before a page. */
export function rankBefore(page: number): number {
  return (page - 1) * nominalResultsPerPage;
}

/** Results of a search in order over all of its pages, each URL once. */
export class Ranking {
  readonly entries: RankedResult[] = [];
  readonly #seen = new Set<string>();
  readonly #above: number;

  constructor(startPage: number) {
    this.#above = rankBefore(startPage);
  }

  /** Adds the next page and returns its new results. After Google's last page, there are no new results. */
  add({ results, page }: SerpPage): RankedResult[] {
    const before = this.entries.length;
    for (const [index, { url, title }] of results.entries()) {
      const address = withoutFragment(url);
      if (this.#seen.has(address)) continue;
      this.#seen.add(address);
      const rank = this.#above + this.entries.length + 1;
      this.entries.push({ rank, url, title, page, positionOnPage: page === null ? null : index + 1 });
    }
    return this.entries.slice(before);
  }
}
