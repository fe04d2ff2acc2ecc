import { rejectRepeatedPages } from './repeated-pages.ts';
import {
  type Crawl,
  type PageRange,
  ProviderError,
  type SerpPage,
  type SerpProvider,
  type SerpQuery,
  unsupportedField,
} from './serp.ts';
import { matchesTarget, type RankTarget } from './target.ts';

/** Reads the pages of one provider for one check. */
export interface SerpReader {
  provider: string;
  /**
   * Yields the pages of a range in order. The caller must detect the end of the results. Throws `ProviderError`, also
   * for a repeated page. If the check is aborted, throws the reason of its abort signal.
   */
  pages(query: SerpQuery, range: PageRange): AsyncGenerator<SerpPage>;
}

type RequestRange = (query: SerpQuery, range: PageRange) => Promise<SerpPage[]>;

/** Time limits of a check, and the speed of its provider. */
export interface SearchTiming {
  /** Deadline of the check, on the clock of `performance.now()`; null in a batch. */
  deadlineMs: number | null;
  /** Returns the milliseconds that one call may take from now on; null in a batch. */
  timeMs(): number | null;
  /** Average milliseconds per page of a crawl; null before the first crawl. */
  msPerPage: number | null;
}

export function createReader(provider: SerpProvider, timing: SearchTiming, ask: RequestRange): SerpReader {
  const { name } = provider;
  const pages =
    'crawl' in provider
      ? (query: SerpQuery, range: PageRange) => crawlPages(name, query, range, timing, ask)
      : (query: SerpQuery, range: PageRange) => readPages(query, range, timing.deadlineMs, ask);
  return {
    provider: name,
    pages: (query, range) => rejectRepeatedPages(name, range.from, pages(query, range)),
  };
}

/** Crawls as many pages as fit the time, because an aborted crawl is paid for and has no result. */
async function* crawlPages(
  provider: string,
  query: SerpQuery,
  range: PageRange,
  timing: SearchTiming,
  ask: RequestRange,
): AsyncGenerator<SerpPage> {
  const to = depthInTime(range, timing);
  let pages = await ask(query, { ...range, to });
  // Repeats a crawl that may have stopped at a result that does not match our target.
  if (findLastPage(pages, range) < to && stoppedAtOtherMatch(pages, range.stopAt))
    pages = await ask(query, { ...range, to, stopAt: null });
  yield* pages;
  // A crawl that ended before page `to` has reached the end of the results. If its number of pages is a guess, there
  // may be more results.
  const read = findLastPage(pages, range);
  const mayHaveMore = read >= to || pages.some(({ isDepthGuessed }) => isDepthGuessed);
  if (to < range.to && mayHaveMore)
    throw new ProviderError(provider, 'timeout', `only ${to} pages fit the time`);
}

function findLastPage(pages: SerpPage[], { from }: PageRange): number {
  return pages.reduce((sum, page) => sum + page.pagesRead, from - 1);
}

/**
 * Returns true if the provider may have stopped at a result that does not match our target, such as the same host with
 * another port.
 */
function stoppedAtOtherMatch(pages: SerpPage[], stopAt: RankTarget | null): boolean {
  if (stopAt === null) return false;
  const urls = pages.flatMap(({ results }) => results.map(({ url }) => url));
  if (urls.some((url) => matchesTarget(stopAt, url))) return false;
  const host = stopAt.host.replace(/:\d+$/, '');
  return urls.some((url) => {
    const shown = URL.parse(url)?.hostname ?? '';
    return shown === host || shown.endsWith(`.${host}`);
  });
}

function depthInTime({ from, to }: PageRange, { timeMs, msPerPage }: SearchTiming): number {
  const time = timeMs();
  if (time === null || msPerPage === null) return to;
  return Math.min(to, Math.max(from, Math.floor((time * shareOfTime) / msPerPage)));
}

async function* readPages(
  query: SerpQuery,
  range: PageRange,
  deadlineMs: number | null,
  ask: RequestRange,
): AsyncGenerator<SerpPage> {
  const { wants: _wants, ...plain } = query;
  yield* readAhead(range, deadlineMs, async (page) => {
    // Without `stopAt`, checks with different targets can share the page.
    const [serp] = await ask(page === 1 ? query : plain, { from: page, to: page, stopAt: null });
    return serp as SerpPage;
  });
}

/**
 * Requests a range in one call. The provider limits the time of the call. Throws `ProviderError`, also for a search
 * that the provider does not support.
 */
export async function requestRange(
  provider: SerpProvider,
  query: SerpQuery,
  range: PageRange,
): Promise<Crawl> {
  const field = unsupportedField(provider.supports, query);
  if (field !== null) throw new ProviderError(provider.name, 'unsupported', `does not support this ${field}`);
  if ('crawl' in provider) return provider.crawl(query, range);
  const page = range.from;
  const serp = await provider.search({ ...query, page });
  return { pages: [{ ...serp, page, pagesRead: 1 }], pagesPaid: 1 };
}

/** Share of the remaining time that is planned, because pages differ in speed. */
const shareOfTime = 0.8;

/**
 * Yields the pages of a range in order. Requests them one after the other, because a page after the match would cost
 * money. Requests several concurrently only if the remaining pages would otherwise miss the deadline, judged by the
 * slowest page so far. `deadlineMs` is a time of `clock`; null in a batch. Failures of pages that the caller does not
 * read are ignored.
 */
export async function* readAhead<T>(
  { from, to }: { from: number; to: number },
  deadlineMs: number | null,
  ask: (page: number) => Promise<T>,
  clock: () => number = () => performance.now(),
): AsyncGenerator<T> {
  const asked: Promise<T>[] = [];
  let slowestMs = 0;
  const requestNext = () => {
    const startedMs = clock();
    const answer = ask(from + asked.length).finally(() => {
      slowestMs = Math.max(slowestMs, clock() - startedMs);
    });
    answer.catch(() => {});
    asked.push(answer);
  };
  for (let page = from; page <= to; page++) {
    const left = to - page + 1;
    const parallel =
      page === from || deadlineMs === null ? 1 : parallelPages(left, slowestMs, deadlineMs - clock());
    const wanted = Math.min(to, page + parallel - 1) - from + 1;
    while (asked.length < wanted) requestNext();
    yield await (asked[page - from] as Promise<T>);
  }
}

/** Returns how many pages must be requested concurrently to read all remaining pages in time. */
function parallelPages(left: number, slowestMs: number, timeMs: number): number {
  const rounds = Math.max(1, Math.floor((timeMs * shareOfTime) / Math.max(1, slowestMs)));
  return Math.ceil(left / rounds);
}
