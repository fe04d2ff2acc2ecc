import { withoutFragment } from '../../../net/url.ts';
import { rankBefore } from '../ranking.ts';
import type { Crawl, PageRange, Serp, SerpPage, SerpResult } from '../serp.ts';

/** All organic results of a crawl, in the order of the provider's own ranks. */
export interface CrawlReading extends Serp {
  /** For each result the page it is on; null where that is not said. */
  pageNumbers: (number | null)[];
  /** Null when it is not said. */
  pagesCount: number | null;
}

/**
 * A crawl from the first page on as the pages of a range: cut where its pages end if that is said, else in
 * one piece.
 */
export function toCrawl(reading: CrawlReading, range: PageRange): Crawl {
  const { pageNumbers } = reading;
  const pagesPaid = Math.min(range.to, reading.pagesCount ?? likelyPages(reading));
  const numbers = pageNumbers.filter((number) => number !== null);
  const isSaid = numbers.length > 0 && numbers.length === pageNumbers.length;
  const pages = isSaid
    ? cutAtPages(reading, numbers, range, pagesPaid)
    : inOnePiece(reading, range, pagesPaid);
  if (reading.pagesCount === null) return { pages: pages.map(guessed), pagesPaid };
  const last = pages.at(-1);
  if (last && isCutShort(reading, isSaid ? Math.max(...numbers) : null, pagesPaid)) last.isCutShort = true;
  return { pages, pagesPaid };
}

/** Google puts eight to ten on each page but the last. */
const resultsMin = 6;

/**
 * Whoever crawls stops at the end of the results, on the page without any at the latest. Where more were paid for
 * behind the last that has some, they were no pages of results. Of none at all Google's own word has been heard.
 */
function isCutShort({ results }: Serp, lastSaid: number | null, pagesPaid: number): boolean {
  const last = lastSaid ?? Math.ceil(results.length / resultsMin);
  return results.length > 0 && pagesPaid > last + 1;
}

function guessed(page: SerpPage): SerpPage {
  return { ...page, isDepthGuessed: true };
}

/** What is taken as paid when nobody says it: Google puts ten results on a page and leaves a few out. */
function likelyPages({ results, pageNumbers }: CrawlReading): number {
  const last = Math.max(0, ...pageNumbers.map((number) => number ?? 0));
  return Math.max(1, last, Math.ceil(results.length / 10));
}

function cutAtPages(reading: Serp, numbers: number[], { from }: PageRange, pagesPaid: number): SerpPage[] {
  const wanted = [...new Set(numbers)].filter((number) => number >= from).sort((one, other) => one - other);
  if (wanted.length === 0) return inOnePiece({ ...reading, results: [] }, { from }, pagesPaid);
  return wanted.map((page, index) => {
    const results = reading.results.filter((_, at) => numbers[at] === page);
    const before = wanted[index - 1] ?? from - 1;
    const end = index === wanted.length - 1 ? Math.max(page, pagesPaid) : page;
    return { ...reading, results, page, pagesRead: end - before };
  });
}

/** What stands before the range is left out as if ten results were on each page: the count begins there. */
function inOnePiece(reading: Serp, { from }: Pick<PageRange, 'from'>, pagesPaid: number): SerpPage[] {
  const results = withoutFirst(reading.results, rankBefore(from));
  const pagesRead = Math.max(1, pagesPaid - from + 1);
  return [{ ...reading, results, page: null, pagesRead }];
}

function withoutFirst(results: SerpResult[], count: number): SerpResult[] {
  // Whole, for a page that stands in it twice tells that it is not what was asked for.
  if (count === 0) return results;
  const seen = new Set<string>();
  return results.filter(({ url }) => {
    const address = withoutFragment(url);
    const isNew = !seen.has(address);
    seen.add(address);
    return isNew && seen.size > count;
  });
}
