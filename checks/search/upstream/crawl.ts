import { withoutFragment } from '../../../net/url.ts';
import { rankBefore } from '../ranking.ts';
import type { Crawl, PageRange, Serp, SerpPage, SerpResult } from '../serp.ts';

/** All organic results of a crawl, in the order of the provider's own ranks. */
export interface CrawlReading extends Serp {
  /** For each result the page it is on; null where that is not said. */
  pageNumbers: (number | null)[];
  /** Null when it is not said. */
  pagesCount: number | null;
  /** Google's own count of results, an estimate; null when it is not said. */
  resultsCount: number | null;
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
  const hasEmptyPages = bringsEmptyPages(reading, isSaid ? Math.max(...numbers) : null, pagesPaid);
  if (last && (hasEmptyPages || endsTooEarly(reading, range, pagesPaid))) last.isCutShort = true;
  return { pages, pagesPaid };
}

/** Google puts eight to ten on each page but the last. */
const resultsMin = 6;

/**
 * Whether more pages were paid for behind the last one with results than it takes to see that the results end. A crawl
 * stops on the first page without any. An answer without results needs Google's own word and is not looked at here.
 */
function bringsEmptyPages({ results }: Serp, lastSaid: number | null, pagesPaid: number): boolean {
  const last = lastSaid ?? Math.ceil(results.length / resultsMin);
  return results.length > 0 && pagesPaid > last + 1;
}

/** Estimates up to this are no proof that a second page exists: Google leaves similar results out. */
const countMin = 100;

/**
 * Whether a crawl ended after the first page although Google counts clearly more. Later ends are Google's own: it often
 * shows two or three pages, whatever it counts. Source: every-app/open-seo#362.
 */
function endsTooEarly({ resultsCount }: CrawlReading, { to }: PageRange, pagesPaid: number): boolean {
  return pagesPaid === 1 && to > 1 && resultsCount !== null && resultsCount > countMin;
}

function guessed(page: SerpPage): SerpPage {
  return { ...page, isDepthGuessed: true };
}

/** Estimates the pages paid for when the provider does not say it: Google puts ten results on a page, or fewer. */
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

/** Leaves out the results before the range, ten for each page: the count of ranks begins there. */
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
