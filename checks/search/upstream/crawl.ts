import { withoutFragment } from '../../../net/url.ts';
import { rankBefore } from '../ranking.ts';
import type { Crawl, PageRange, Serp, SerpPage, SerpResult } from '../serp.ts';

/** All organic results of a crawl, in the order of the provider's own ranks. */
export interface CrawlReading extends Serp {
  /** Page of each result; null if it is not reported. */
  pageNumbers: (number | null)[];
  pagesCount: number | null;
  /** Google's estimate of the number of results; null if it is not reported. */
  resultsCount: number | null;
}

/** Converts a crawl that starts at page 1 to the pages of a range. Without page numbers, it becomes one page. */
export function toCrawl(reading: CrawlReading, range: PageRange): Crawl {
  const { pageNumbers } = reading;
  const pagesPaid = Math.min(range.to, reading.pagesCount ?? estimatePages(reading));
  const numbers = pageNumbers.filter((number) => number !== null);
  const isReported = numbers.length > 0 && numbers.length === pageNumbers.length;
  const pages = isReported
    ? splitByPage(reading, numbers, range, pagesPaid)
    : asOnePage(reading, range, pagesPaid);
  if (reading.pagesCount === null) return { pages: pages.map(markGuessed), pagesPaid };
  const last = pages.at(-1);
  const hasEmptyPages = endsTooLate(reading, isReported ? Math.max(...numbers) : null, pagesPaid);
  if (last && (hasEmptyPages || endsTooEarly(reading, range, pagesPaid))) last.isCutShort = true;
  return { pages, pagesPaid };
}

/** Minimum number of results on a page. Google shows eight to ten on each page except the last. */
const resultsMin = 6;

/**
 * Returns whether the crawl has more than one page after the last page with results. A correct crawl stops at the first
 * empty page. An answer without any results needs Google's notice and is not handled here.
 */
function endsTooLate({ results }: Serp, reportedLastPage: number | null, pagesPaid: number): boolean {
  const last = reportedLastPage ?? Math.ceil(results.length / resultsMin);
  return results.length > 0 && pagesPaid > last + 1;
}

/** Estimates up to this number do not prove that a second page exists, because Google omits similar results. */
const countMin = 100;

/**
 * Returns whether a crawl ended after the first page although Google counts many more results. A later end may be
 * correct, because Google often shows only two or three pages regardless of its count. Source: every-app/open-seo#362.
 */
function endsTooEarly({ resultsCount }: CrawlReading, { to }: PageRange, pagesPaid: number): boolean {
  return pagesPaid === 1 && to > 1 && resultsCount !== null && resultsCount > countMin;
}

function markGuessed(page: SerpPage): SerpPage {
  return { ...page, isDepthGuessed: true };
}

/** Estimates the pages paid for if the provider does not report them. Google shows at most ten results on a page. */
function estimatePages({ results, pageNumbers }: CrawlReading): number {
  const last = Math.max(0, ...pageNumbers.map((number) => number ?? 0));
  return Math.max(1, last, Math.ceil(results.length / 10));
}

function splitByPage(reading: Serp, numbers: number[], { from }: PageRange, pagesPaid: number): SerpPage[] {
  const wanted = [...new Set(numbers)].filter((number) => number >= from).sort((one, other) => one - other);
  if (wanted.length === 0) return asOnePage({ ...reading, results: [] }, { from }, pagesPaid);
  return wanted.map((page, index) => {
    const results = reading.results.filter((_, at) => numbers[at] === page);
    const before = wanted[index - 1] ?? from - 1;
    const end = index === wanted.length - 1 ? Math.max(page, pagesPaid) : page;
    return { ...reading, results, page, pagesRead: end - before };
  });
}

/**
 * Omits the results before the range, ten for each page. The rank of the first result in the range is counted in the
 * same way.
 */
function asOnePage(reading: Serp, { from }: Pick<PageRange, 'from'>, pagesPaid: number): SerpPage[] {
  const results = dropFirst(reading.results, rankBefore(from));
  const pagesRead = Math.max(1, pagesPaid - from + 1);
  return [{ ...reading, results, page: null, pagesRead }];
}

function dropFirst(results: SerpResult[], count: number): SerpResult[] {
  // Keeps repeated results, which reveal an invalid crawl.
  if (count === 0) return results;
  const seen = new Set<string>();
  return results.filter(({ url }) => {
    const address = withoutFragment(url);
    const isNew = !seen.has(address);
    seen.add(address);
    return isNew && seen.size > count;
  });
}
