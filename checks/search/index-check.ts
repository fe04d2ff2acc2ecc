import type { IndexAnswer } from '../../schemas/check.ts';
import type { Asked, Outcome } from '../outcome.ts';
import type { Reader } from './reader.ts';
import type { Asking, Search } from './search.ts';
import { searchFailure } from './search-error.ts';
import { createRespelledUrlError, ProviderError, type Serp, type SerpQuery } from './serp.ts';
import { type Comparable, isSamePage, isSamePath, searchable, takeApart } from './target.ts';

/** Google reads so many words of a query and drops the rest (its own notice says so). */
const queryWordsMax = 32;

/**
 * Is this URL in Google? Asked for as an address and, if it is not among the results, once more with `site:`. Any
 * sighting is a yes; a no needs both pages genuine and asked for in full.
 */
export async function checkIndex(url: string, search: Search, asking: Asking): Promise<Outcome<IndexAnswer>> {
  const wanted = takeApart(url);
  if (!wanted) throw new TypeError('the caller validates addresses');
  const address = searchable(url);
  try {
    const { answer: sighted, cost } = await search.withFailover(toQuery(address), asking, (reader) =>
      lookFor(url, wanted, address, reader),
    );
    const { answer, asked } = sighted;
    const tally = [answer.is_indexed ? 'indexed' : 'not_indexed'];
    return { state: 'success', answer, tally, again: null, cost, asked };
  } catch (error) {
    return searchFailure(error);
  }
}

async function lookFor(
  url: string,
  wanted: Comparable,
  address: string,
  reader: Reader,
): Promise<{ answer: IndexAnswer; asked: Asked[] }> {
  const { provider } = reader;
  const asked: Asked[] = [];
  const ask = async (query: string) => {
    const serp = await firstPage(reader, query);
    asked.push({ query, provider, results: serp.results.length });
    return serp;
  };
  const byUrl = await ask(address);
  const seen = sighting(byUrl, wanted, provider);
  if (seen) return { answer: indexed(url, seen, 'url', byUrl, provider), asked };
  const bySite = await ask(`site:${address}`);
  const seenBySite = sighting(bySite, wanted, provider);
  if (seenBySite) return { answer: indexed(url, seenBySite, 'site', bySite, provider), asked };
  if (countWords(address) > queryWordsMax) {
    throw new ProviderError(provider, 'rewritten', 'the address has more words than Google reads of a query');
  }
  return { answer: notIndexed([byUrl, bySite], wanted, provider), asked };
}

async function firstPage(reader: Reader, text: string): Promise<Serp> {
  const range = { from: 1, to: 1, stopAt: null };
  for await (const page of reader.pages(toQuery(text), range)) return page;
  throw new ProviderError(reader.provider, 'unreadable', 'no page');
}

function toQuery(query: string): SerpQuery {
  return { query, country: 'US', language: 'en', device: 'desktop', isUnfiltered: true };
}

/**
 * The address under which a page shows what is wanted; null when it does not. Errors: `ProviderError` (unreadable) when
 * it may be shown under an address that the provider has respelled.
 */
function sighting(
  { results, featuredSnippetUrl, urlSpelling }: Serp,
  wanted: Comparable,
  provider: string,
): string | null {
  const shown = [...results.map(({ url }) => url), ...(featuredSnippetUrl ? [featuredSnippetUrl] : [])];
  const isWanted = (url: string) => {
    const parts = takeApart(url);
    return parts === null ? false : isSamePage(parts, wanted, urlSpelling);
  };
  const seen = shown.find(isWanted);
  if (seen === undefined && shown.some((url) => isWanted(url) === null))
    throw createRespelledUrlError(provider);
  return seen ?? null;
}

function indexed(
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
    ...simulated(serp),
  };
}

function notIndexed(serps: [Serp, Serp], wanted: Comparable, provider: string): IndexAnswer {
  const shown = serps.flatMap(({ results }) => results.map(({ url }) => url));
  return {
    is_indexed: false,
    engine: 'google',
    match: null,
    matched_url: null,
    found_by: null,
    similar_url: shown.find((url) => isSimilar(url, wanted)) ?? null,
    provider,
    ...simulated(serps[0]),
  };
}

function isSimilar(url: string, wanted: Comparable): boolean {
  const shown = takeApart(url);
  return shown !== null && isSamePath(shown, wanted);
}

function simulated({ isSimulated }: Serp): { simulated?: true } {
  return isSimulated ? { simulated: true } : {};
}

function countWords(query: string): number {
  return query.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
