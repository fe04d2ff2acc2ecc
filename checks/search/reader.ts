import { readAhead } from './read-ahead.ts';
import {
  type Crawl,
  type PageRange,
  ProviderError,
  type SerpPage,
  type SerpProvider,
  type SerpQuery,
} from './serp.ts';

/** One provider's pages for one check. */
export interface Reader {
  provider: string;
  /**
   * The pages of a range in order, for as long as they are wanted; the asker notices the end of the results. Errors:
   * `ProviderError`, also for a page that is the one before once more; the signal's reason.
   */
  pages(query: SerpQuery, range: PageRange): AsyncGenerator<SerpPage>;
}

/** Asks a provider for a range in one call, which may be a single page; one that has not gone out when `isDone` never does. */
export type AskForRange = (query: SerpQuery, range: PageRange, isDone: AbortSignal) => Promise<SerpPage[]>;

/** `deadlineMs`: as of the asking. */
export function createReader(provider: SerpProvider, deadlineMs: number | null, ask: AskForRange): Reader {
  const { name } = provider;
  const pages =
    'crawl' in provider
      ? (query: SerpQuery, range: PageRange) => crawled(query, range, ask)
      : (query: SerpQuery, range: PageRange) => different(name, paged(query, range, deadlineMs, ask));
  return { provider: name, pages };
}

async function* crawled(query: SerpQuery, range: PageRange, ask: AskForRange): AsyncGenerator<SerpPage> {
  yield* await ask(query, range, new AbortController().signal);
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

/** A provider that heeds no page number sends the first page for ever: that is not how results end. */
async function* different(provider: string, pages: AsyncGenerator<SerpPage>): AsyncGenerator<SerpPage> {
  let before = '';
  for await (const page of pages) {
    const addresses = page.results.map(({ url }) => url).join('\n');
    if (addresses !== '' && addresses === before) {
      throw new ProviderError(provider, 'unreadable', `page ${page.page} is the one before once more`);
    }
    before = addresses;
    yield page;
  }
}

/** A range by one call of a provider. Errors: `ProviderError`; the signal's reason. */
export async function readRange(
  provider: SerpProvider,
  query: SerpQuery,
  range: PageRange,
  signal: AbortSignal,
): Promise<Crawl> {
  if ('crawl' in provider) return provider.crawl(query, range, signal);
  const page = range.from;
  const serp = await provider.search({ ...query, page }, signal);
  return { pages: [{ ...serp, page, pagesRead: 1 }], pagesPaid: 1 };
}
