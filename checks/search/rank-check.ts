import { type Feature, type OverviewContents, sourcesMax } from '../../schemas/features.ts';
import type { FoundResult, RankAnswer, RankQuery } from '../../schemas/keyword.ts';
import type { Outcome } from '../outcome.ts';
import { parseLanguage } from './google/locales.ts';
import { loadLocations } from './locations/locations.ts';
import { type RankedResult, Ranking } from './ranking.ts';
import type { SerpReader } from './reader.ts';
import type { Search, SearchContext } from './search.ts';
import { toSearchFailure } from './search-error.ts';
import {
  createRespelledUrlError,
  type SerpFeatures,
  type SerpLocation,
  type SerpOverview,
  type SerpPart,
  type SerpQuery,
} from './serp.ts';
import { matchesTarget, parseRankTarget, type RankTarget } from './target.ts';
import { overviewUnknown } from './upstream/features.ts';
import type { UrlSpelling } from './url-spelling.ts';

/** Converts a validated query for the engine. */
export async function toRankQuestion(query: RankQuery): Promise<RankQuestion> {
  const target = parseRankTarget(query.target_url, query.match);
  const language = parseLanguage(query.language);
  if (!target || !language) throw new TypeError('the caller must validate the query');
  const { keyword, country, device, start_page: startPage, end_page: endPage } = query;
  const competitors = (query.competitor_urls ?? []).map((url) => ({ url, target: parseCompetitor(url) }));
  const isFull = query.full ?? false;
  const include = new Set<string>(query.include);
  const wants = (['features', 'ai_overview'] as const).filter((part) => include.has(part));
  const location = query.location === undefined ? undefined : await findLocation(query.location);
  return {
    target,
    competitors,
    isFull,
    wants,
    keyword,
    country,
    language,
    location,
    device,
    startPage,
    endPage,
  };
}

async function findLocation(text: string): Promise<SerpLocation> {
  const [found] = (await loadLocations()).resolve(text);
  if (!found) throw new TypeError('the caller must validate the location');
  const { location, latitude, longitude } = found;
  // Google's list has New York without the word `City` that GeoNames adds.
  const name = location.replace(/^New York City,/, 'New York,').replaceAll(', ', ',');
  return { name, latitude, longitude };
}

function parseCompetitor(url: string): RankTarget {
  const target = parseRankTarget(url);
  if (!target) throw new TypeError('the caller must validate competitors');
  return target;
}

type Competitor = NonNullable<RankAnswer['competitors']>[number];

export interface RankQuestion {
  target: RankTarget;
  competitors: { url: string; target: RankTarget }[];
  /** True if all pages are read, even after a match. */
  isFull: boolean;
  /** Parts of page 1 to report beside the rank. */
  wants: SerpPart[];
  keyword: string;
  /** ISO 3166 alpha-2, upper case. */
  country: string;
  /** Google's code (`hl`). */
  language: string;
  /** Undefined for the whole country. */
  location?: SerpLocation;
  device: 'desktop' | 'mobile';
  startPage: number;
  endPage: number;
}

/**
 * Finds the rank of a target: the number of different organic URLs from the top of page 1 to the match. If a page
 * before the match cannot be read, the check fails.
 */
export async function checkRank(
  question: RankQuestion,
  search: Search,
  context: SearchContext,
): Promise<Outcome<RankAnswer>> {
  try {
    const { answer: found, cost } = await search.withFailover(toQuery(question), context, (reader) =>
      searchPages(question, reader),
    );
    const { answer, asked, results, overview } = found;
    const tally = toRankTally(answer);
    return {
      state: 'success',
      answer,
      tally,
      recheck: null,
      cost,
      asked,
      results,
      ...(overview ? { overview } : {}),
    };
  } catch (error) {
    return toSearchFailure(error);
  }
}

const resultsMax = 100;

interface SearchState {
  ranking: Ranking;
  found: RankedResult | null;
  pagesSearched: number;
  featuredSnippetUrl: string | null;
  /** The same for all pages, because they come from one provider. */
  urlSpelling: UrlSpelling | undefined;
  isSimulated: boolean;
  /** Blocks of page 1; none if the search starts later. */
  features: SerpFeatures;
  aiOverview: SerpOverview;
}

async function searchPages(question: RankQuestion, reader: SerpReader) {
  const { startPage, endPage, target, isFull } = question;
  const ranking = new Ranking(startPage);
  const state: SearchState = {
    ranking,
    found: null,
    pagesSearched: 0,
    featuredSnippetUrl: null,
    urlSpelling: undefined,
    isSimulated: false,
    features: { visible: [], found: [] },
    aiOverview: overviewUnknown,
  };
  const range = { from: startPage, to: endPage, stopAt: isFull ? null : target };
  for await (const page of reader.pages(toQuery(question), range)) {
    if (state.pagesSearched === 0 && startPage === 1) {
      state.featuredSnippetUrl = page.featuredSnippetUrl;
      state.features = page.features ?? state.features;
      state.aiOverview = page.aiOverview ?? state.aiOverview;
    }
    state.pagesSearched += page.pagesRead;
    state.isSimulated ||= page.isSimulated === true;
    const added = ranking.add(page);
    state.urlSpelling = page.urlSpelling;
    state.found ??= findFirst(added, target, state.urlSpelling, reader.provider);
    if (added.length === 0 || (state.found && !isFull)) break;
  }
  return {
    answer: toAnswer(question, state, reader.provider),
    asked: [{ query: question.keyword, provider: reader.provider, results: ranking.entries.length }],
    results: ranking.entries.slice(0, resultsMax).map(toResult),
    overview: toOverviewContents(state.aiOverview),
  };
}

/** Throws `ProviderError` (unreadable) if an earlier entry may be the target, but the provider has changed its URL. */
function findFirst(
  entries: RankedResult[],
  target: RankTarget,
  spelling: UrlSpelling | undefined,
  provider: string,
): RankedResult | null {
  for (const entry of entries) {
    const isTarget = matchesTarget(target, entry.url, spelling);
    if (isTarget === null) throw createRespelledUrlError(provider);
    if (isTarget) return entry;
  }
  return null;
}

function toResult({ rank, url, title, page }: RankedResult): FoundResult {
  return { position: rank, url, title, page };
}

function toQuery(question: RankQuestion): SerpQuery {
  const { keyword, country, language, device, location, startPage, wants } = question;
  const parts = startPage === 1 && wants.length > 0 ? { wants } : {};
  return {
    query: keyword,
    country,
    language,
    device,
    ...(location && { location }),
    isUnfiltered: false,
    ...parts,
  };
}

function toAnswer(question: RankQuestion, state: SearchState, provider: string): RankAnswer {
  const { competitors, target, wants } = question;
  const { found } = state;
  return {
    found: found !== null,
    rank: found?.rank ?? null,
    ranked_url: found?.url ?? null,
    page: found?.page ?? null,
    position_on_page: found?.positionOnPage ?? null,
    pages_searched: state.pagesSearched,
    featured_snippet_url: state.featuredSnippetUrl,
    provider,
    ...(competitors.length > 0
      ? { competitors: competitors.map((one) => toCompetitor(one, question, state, provider)) }
      : {}),
    ...(wants.includes('features')
      ? { features: toFeatures(target, state), features_visible: state.features.visible }
      : {}),
    ...(wants.includes('ai_overview')
      ? { ai_overview: { state: state.aiOverview.state, ...findCitation(target, state) } }
      : {}),
    ...(state.isSimulated ? { simulated: true as const } : {}),
  };
}

function toCompetitor(
  { url, target }: RankQuestion['competitors'][number],
  { wants }: RankQuestion,
  state: SearchState,
  provider: string,
): Competitor {
  const seen = findFirst(state.ranking.entries, target, state.urlSpelling, provider);
  const cited = wants.includes('ai_overview') ? { cited: findCitation(target, state).cited } : {};
  return { url, rank: seen?.rank ?? null, ranked_url: seen?.url ?? null, ...cited };
}

/** Finds the target in the sources of an overview. `cited` is null if sources or their original URLs are unknown. */
function findCitation(target: RankTarget, { aiOverview, urlSpelling }: SearchState) {
  const unknown = { cited: null, cited_url: null, citation: null };
  if (aiOverview.state !== 'shown') return unknown;
  const matches = aiOverview.sources.map(({ url }) => matchesTarget(target, url, urlSpelling));
  const at = matches.indexOf(true);
  if (at >= 0) return { cited: true, cited_url: aiOverview.sources[at]?.url ?? null, citation: at + 1 };
  return matches.includes(null) ? unknown : { ...unknown, cited: false };
}

const featureUrlsMax = 10;
const featureUrlCharsMax = 512;
const featuresBytesMax = 4_096;

/** Returns the blocks of page 1. Removes URLs, starting with the last block, until the blocks fit into 4 KiB. */
function toFeatures(target: RankTarget, { features, aiOverview, urlSpelling }: SearchState): Feature[] {
  const shown: Feature[] = features.found.map(({ type, position, urls: reported }) => {
    const urls = type === 'ai_overview' ? aiOverview.sources.map(({ url }) => url) : reported;
    const matches = urls.map((url) => matchesTarget(target, url, urlSpelling));
    const isUnknown = matches.length === 0 || matches.includes(null);
    const owned = matches.includes(true) || (isUnknown ? null : false);
    return { type, position, owned, urls: urls.slice(0, featureUrlsMax).map(cutUrl) };
  });
  let bytes = Buffer.byteLength(JSON.stringify(shown));
  for (const { urls } of shown.toReversed()) {
    while (bytes > featuresBytesMax && urls.length > 0)
      bytes -= Buffer.byteLength(JSON.stringify(urls.pop())) + 1;
  }
  return shown;
}

function cutUrl(url: string): string {
  return url.slice(0, featureUrlCharsMax);
}

/** Returns the sources and text of the AI Overview; undefined if nothing of it was asked for or read. */
function toOverviewContents({ state, sources, text }: SerpOverview): OverviewContents | undefined {
  if (state !== 'shown' && text === null) return undefined;
  const numbered = sources.map((source, index) => ({ position: index + 1, ...source }));
  return { sources: numbered.slice(0, sourcesMax), text };
}

/** Returns the counters of a batch's summary that an answer increments. */
export function toRankTally({ rank }: RankAnswer): string[] {
  if (rank === null) return ['not_ranked'];
  const reached = [3, 10, 20, 100].filter((top) => rank <= top);
  return ['ranked', ...reached.map((top) => `top_${top}`)];
}
