import { onlyNew } from './repeated-pages.ts';
import {
  type Crawl,
  type PageRange,
  ProviderError,
  type SerpPage,
  type SerpProvider,
  type SerpQuery,
} from './serp.ts';
import { matchesTarget, type RankTarget } from './target.ts';

/** One provider's pages for one check. */
export interface Reader {
  provider: string;
  /**
   * The pages of a range in order, for as long as they are wanted; the asker notices the end of the results. Errors:
   * `ProviderError`, also for a page that is an earlier one once more; the signal's reason.
   */
  pages(query: SerpQuery, range: PageRange): AsyncGenerator<SerpPage>;
}

/**
 * Asks a provider for a range in one call, which may be a single page; one that has not gone out when
 * `isDone` never does.
 */
export type AskForRange = (query: SerpQuery, range: PageRange, isDone: AbortSignal) => Promise<SerpPage[]>;

/** How long a check waits, and for what. */
export interface SearchPace {
  /** On `performance.now()`'s clock; null when nobody waits. */
  deadlineMs: number | null;
  /** Milliseconds that one call may take from now on; null when nobody waits. */
  timeMs(): number | null;
  /** Milliseconds that a page of a crawl has taken; null before the first. */
  msPerPage: number | null;
}

export function createReader(provider: SerpProvider, pace: SearchPace, ask: AskForRange): Reader {
  const { name } = provider;
  const pages =
    'crawl' in provider
      ? (query: SerpQuery, range: PageRange) => crawled(name, query, range, pace, ask)
      : (query: SerpQuery, range: PageRange) => paged(query, range, pace.deadlineMs, ask);
  return { provider: name, pages: (query, range) => onlyNew(name, range.from, pages(query, range)) };
}

/** As deep as fits the time: a crawl that is given up half-way is paid for and brings nothing. */
async function* crawled(
  provider: string,
  query: SerpQuery,
  range: PageRange,
  pace: SearchPace,
  ask: AskForRange,
): AsyncGenerator<SerpPage> {
  const to = depthInTime(range, pace);
  const { signal } = new AbortController();
  let pages = await ask(query, { ...range, to }, signal);
  // One that read all that was asked for did not stop before.
  if (lastPageOf(pages, range) < to && stoppedElsewhere(pages, range.stopAt))
    pages = await ask(query, { ...range, to, stopAt: null }, signal);
  yield* pages;
  // One that ended before is at the end of the results; where nobody says how deep it went, it may not be.
  const read = lastPageOf(pages, range);
  const mayGoOn = read >= to || pages.some(({ isDepthGuessed }) => isDepthGuessed);
  if (to < range.to && mayGoOn) throw new ProviderError(provider, 'timeout', `only ${to} pages fit the time`);
}

function lastPageOf(pages: SerpPage[], { from }: PageRange): number {
  return pages.reduce((sum, page) => sum + page.pagesRead, from - 1);
}

/** The provider may have seen a match where we see none, such as a host with a port: what follows is then not known. */
function stoppedElsewhere(pages: SerpPage[], stopAt: RankTarget | null): boolean {
  if (stopAt === null) return false;
  const urls = pages.flatMap(({ results }) => results.map(({ url }) => url));
  if (urls.some((url) => matchesTarget(stopAt, url))) return false;
  const host = stopAt.host.replace(/:\d+$/, '');
  return urls.some((url) => {
    const shown = URL.parse(url)?.hostname ?? '';
    return shown === host || shown.endsWith(`.${host}`);
  });
}

function depthInTime({ from, to }: PageRange, { timeMs, msPerPage }: SearchPace): number {
  const time = timeMs();
  if (time === null || msPerPage === null) return to;
  return Math.min(to, Math.max(from, Math.floor((time * shareOfTime) / msPerPage)));
}

async function* paged(
  query: SerpQuery,
  range: PageRange,
  deadlineMs: number | null,
  ask: AskForRange,
): AsyncGenerator<SerpPage> {
  const done = new AbortController();
  try {
    yield* readAhead(range, deadlineMs, async (page) => {
      // Where to stop is no part of it, so that all who look through a page can share it.
      const [serp] = await ask(query, { from: page, to: page, stopAt: null }, done.signal);
      return serp as SerpPage;
    });
  } finally {
    done.abort();
  }
}

/** Asks a provider for a range in one call, until its own timeout. Errors: `ProviderError`. */
export async function readRange(provider: SerpProvider, query: SerpQuery, range: PageRange): Promise<Crawl> {
  // A call is paid for once it is sent, so it is not aborted.
  const { signal } = new AbortController();
  if ('crawl' in provider) return provider.crawl(query, range, signal);
  const page = range.from;
  const serp = await provider.search({ ...query, page }, signal);
  return { pages: [{ ...serp, page, pagesRead: 1 }], pagesPaid: 1 };
}

/** Of the time there is, so much is planned with: pages do not take the same time each. */
const shareOfTime = 0.8;

/**
 * The pages of a range in order. One after the other unless somebody waits and the slowest so far says that the rest
 * would not be there in time: each page asked for ahead may lie behind the match, and is paid for all the same.
 *
 * `deadlineMs` is on the clock's time, null when nobody waits. Failures of pages that are not reached are ignored.
 */
export async function* readAhead<T>(
  { from, to }: { from: number; to: number },
  deadlineMs: number | null,
  ask: (page: number) => Promise<T>,
  clock: () => number = () => performance.now(),
): AsyncGenerator<T> {
  const asked: Promise<T>[] = [];
  let slowestMs = 0;
  const askNext = () => {
    const startedMs = clock();
    const answer = ask(from + asked.length).finally(() => {
      slowestMs = Math.max(slowestMs, clock() - startedMs);
    });
    answer.catch(() => {});
    asked.push(answer);
  };
  for (let page = from; page <= to; page++) {
    const left = to - page + 1;
    const atOnce =
      page === from || deadlineMs === null ? 1 : atOnceInTime(left, slowestMs, deadlineMs - clock());
    const wanted = Math.min(to, page + atOnce - 1) - from + 1;
    while (asked.length < wanted) askNext();
    yield await (asked[page - from] as Promise<T>);
  }
}

/** How many pages must be on their way together for the rest to fit the time. */
function atOnceInTime(left: number, slowestMs: number, timeMs: number): number {
  const rounds = Math.max(1, Math.floor((timeMs * shareOfTime) / Math.max(1, slowestMs)));
  return Math.ceil(left / rounds);
}
