import { withoutFragment } from '../../net/url.ts';
import type { SerpPage } from './serp.ts';

/** Google counts ten results to a page, however many it shows: so a search from a later page on begins its count. */
const nominalResultsPerPage = 10;

/** One address of the list, at the place it was first seen. */
export interface Ranked {
  /** Different addresses from the top of page 1 to this one. */
  rank: number;
  url: string;
  title: string;
  /** Null when the provider does not say where its pages end. */
  page: number | null;
  positionOnPage: number | null;
}

/** The rank of the last result before a page. */
export function rankBefore(page: number): number {
  return (page - 1) * nominalResultsPerPage;
}

/** The results of a search in order over all its pages, each address once. */
export class Ranking {
  readonly entries: Ranked[] = [];
  readonly #seen = new Set<string>();
  readonly #above: number;

  constructor(startPage: number) {
    this.#above = rankBefore(startPage);
  }

  /** Takes the next page in; answers what is new on it: nothing is how Google ends. */
  add({ results, page }: SerpPage): Ranked[] {
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
