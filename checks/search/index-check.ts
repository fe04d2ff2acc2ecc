import type { IndexAnswer } from '../../schemas/check.ts';
import type { ExecutedQuery, Outcome } from '../outcome.ts';
import type { SerpReader } from './reader.ts';
import type { Search, SearchContext } from './search.ts';
import { toSearchFailure } from './search-error.ts';
import { createRespelledUrlError, ProviderError, type Serp, type SerpQuery } from './serp.ts';
import { type Comparable, isSamePage, isSamePath, toComparable, toSearchText } from './target.ts';

/** Maximum number of words that Google reads of a query, as its own notice says. */
const queryWordsMax = 32;

/**
 * Checks whether a URL is in Google's index. Searches for the URL. If the URL is not among the results, also searches
 * with `site:`. One match means "indexed". "Not indexed" needs two valid result pages for the complete URL.
 */
export async function checkIndex(
  url: string,
  search: Search,
  context: SearchContext,
): Promise<Outcome<IndexAnswer>> {
  const wanted = toComparable(url);
  if (!wanted) throw new TypeError('the caller must validate the URL');
  const address = toSearchText(url);
  try {
    const { answer: found, cost } = await search.withFailover(toQuery(address), context, (reader) =>
      findInIndex(url, wanted, address, reader),
    );
    const { answer, asked } = found;
    const tally = [answer.is_indexed ? 'indexed' : 'not_indexed'];
    return { state: 'success', answer, tally, recheck: null, cost, asked };
  } catch (error) {
    return toSearchFailure(error);
  }
}

async function findInIndex(
  url: string,
  wanted: Comparable,
  address: string,
  reader: SerpReader,
): Promise<{ answer: IndexAnswer; asked: ExecutedQuery[] }> {
  const { provider } = reader;
  const asked: ExecutedQuery[] = [];
  const ask = async (query: string) => {
    const serp = await firstPage(reader, query);
    asked.push({ query, provider, results: serp.results.length });
    return serp;
  };
  const byUrl = await ask(address);
  const match = findMatch(byUrl, wanted, provider);
  if (match) return { answer: toIndexed(url, match, 'url', byUrl, provider), asked };
  const bySite = await ask(`site:${address}`);
  const siteMatch = findMatch(bySite, wanted, provider);
  if (siteMatch) return { answer: toIndexed(url, siteMatch, 'site', bySite, provider), asked };
  if (countWords(address) > queryWordsMax) {
    throw new ProviderError(provider, 'rewritten', 'the URL has more words than Google reads of a query');
  }
  return { answer: toNotIndexed([byUrl, bySite], wanted, provider), asked };
}

async function firstPage(reader: SerpReader, text: string): Promise<Serp> {
  const range = { from: 1, to: 1, stopAt: null };
  for await (const page of reader.pages(toQuery(text), range)) return page;
  throw new ProviderError(reader.provider, 'unreadable', 'no page');
}

function toQuery(query: string): SerpQuery {
  return { query, country: 'US', language: 'en', device: 'desktop', isUnfiltered: true };
}

/**
 * Returns the URL of the result that is the wanted page; null without such a result. Throws `ProviderError`
 * (unreadable) if a result may be the wanted page, but the provider has changed its URL.
 */
function findMatch(
  { results, featuredSnippetUrl, urlSpelling }: Serp,
  wanted: Comparable,
  provider: string,
): string | null {
  const shown = [...results.map(({ url }) => url), ...(featuredSnippetUrl ? [featuredSnippetUrl] : [])];
  const isWanted = (url: string) => {
    const parts = toComparable(url);
    return parts === null ? false : isSamePage(parts, wanted, urlSpelling);
  };
  const match = shown.find(isWanted);
  if (match === undefined && shown.some((url) => isWanted(url) === null))
    throw createRespelledUrlError(provider);
  return match ?? null;
}

function toIndexed(
  url: string,
  matchedUrl: string,
  foundBy: 'url' | 'site',
  serp: Serp,
  provider: string,
): IndexAnswer {
  const isExact = URL.parse(matchedUrl)?.href === URL.parse(url)?.href;
  return {
    is_indexed: true,
    engine: 'google',
    match: isExact ? 'exact' : 'variant',
    matched_url: matchedUrl,
    found_by: foundBy,
    similar_url: null,
    provider,
    ...toSimulatedField(serp),
  };
}

function toNotIndexed(serps: [Serp, Serp], wanted: Comparable, provider: string): IndexAnswer {
  const shown = serps.flatMap(({ results }) => results.map(({ url }) => url));
  return {
    is_indexed: false,
    engine: 'google',
    match: null,
    matched_url: null,
    found_by: null,
    similar_url: shown.find((url) => isSimilar(url, wanted)) ?? null,
    provider,
    ...toSimulatedField(serps[0]),
  };
}

function isSimilar(url: string, wanted: Comparable): boolean {
  const shown = toComparable(url);
  return shown !== null && isSamePath(shown, wanted);
}

function toSimulatedField({ isSimulated }: Serp): { simulated?: true } {
  return isSimulated ? { simulated: true } : {};
}

function countWords(query: string): number {
  return query.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
