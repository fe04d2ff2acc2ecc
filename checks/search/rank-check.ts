import type { FoundResult, RankAnswer, RankQuery } from '../../schemas/keyword.ts';
import type { Asked, Outcome } from '../outcome.ts';
import { readLanguage } from './google/locales.ts';
import { type Ranked, Ranking } from './ranking.ts';
import type { Reader } from './reader.ts';
import type { Asking, Search } from './search.ts';
import { searchFailure } from './search-error.ts';
import { createRespelledUrlError, type SerpQuery } from './serp.ts';
import { matchesTarget, type RankTarget, readRankTarget } from './target.ts';
import type { UrlSpelling } from './url-spelling.ts';

/** A stored or freshly read query as the engine takes it. What validation let through is taken for granted. */
export function questionOf(query: RankQuery): RankQuestion {
  const target = readRankTarget(query.target_url, query.match);
  const language = readLanguage(query.language);
  if (!target || !language) throw new TypeError('the caller validates queries');
  const { keyword, country, device, start_page: startPage, end_page: endPage } = query;
  const competitors = (query.competitor_urls ?? []).map((url) => ({ url, target: competitorOf(url) }));
  const isFull = query.full ?? false;
  return { target, competitors, isFull, keyword, country, language, device, startPage, endPage };
}

function competitorOf(url: string): RankTarget {
  const target = readRankTarget(url);
  if (!target) throw new TypeError('the caller validates competitors');
  return target;
}

type Competitor = NonNullable<RankAnswer['competitors']>[number];

export interface RankQuestion {
  target: RankTarget;
  competitors: { url: string; target: RankTarget }[];
  /** Read on after the match. */
  isFull: boolean;
  keyword: string;
  /** ISO 3166 alpha-2, upper case. */
  country: string;
  /** Google's form. */
  language: string;
  device: 'desktop' | 'mobile';
  startPage: number;
  endPage: number;
}

/**
 * Where a target ranks for a keyword: different organic addresses counted from the top of page 1 to the
 * match. A page on the way that cannot be read means no answer.
 */
export async function checkRank(
  question: RankQuestion,
  search: Search,
  asking: Asking,
): Promise<Outcome<RankAnswer>> {
  try {
    const { answer: climbed, cost } = await search.withFailover(toQuery(question), asking, (reader) =>
      climb(question, reader),
    );
    const { answer, asked, results } = climbed;
    return { state: 'success', answer, tally: tallyOf(answer), again: null, cost, asked, results };
  } catch (error) {
    return searchFailure(error);
  }
}

const resultsMax = 100;

/** How far the search has come. */
interface Climb {
  ranking: Ranking;
  found: Ranked | null;
  pagesSearched: number;
  featuredSnippetUrl: string | null;
  /** Of all pages, which are of one provider. */
  urlSpelling: UrlSpelling | undefined;
  isSimulated: boolean;
}

interface Climbed {
  answer: RankAnswer;
  asked: Asked[];
  results: FoundResult[];
}

async function climb(question: RankQuestion, reader: Reader): Promise<Climbed> {
  const { startPage, endPage, target, isFull } = question;
  const ranking = new Ranking(startPage);
  const soFar: Climb = {
    ranking,
    found: null,
    pagesSearched: 0,
    featuredSnippetUrl: null,
    urlSpelling: undefined,
    isSimulated: false,
  };
  const range = { from: startPage, to: endPage, stopAt: isFull ? null : target };
  for await (const page of reader.pages(toQuery(question), range)) {
    if (soFar.pagesSearched === 0 && startPage === 1) soFar.featuredSnippetUrl = page.featuredSnippetUrl;
    soFar.pagesSearched += page.pagesRead;
    soFar.isSimulated ||= page.isSimulated === true;
    const added = ranking.add(page);
    soFar.urlSpelling = page.urlSpelling;
    soFar.found ??= firstOf(added, target, soFar.urlSpelling, reader.provider);
    if (added.length === 0 || (soFar.found && !isFull)) break;
  }
  return {
    answer: answerOf(question, soFar, reader.provider),
    asked: [{ query: question.keyword, provider: reader.provider, results: ranking.entries.length }],
    results: ranking.entries.slice(0, resultsMax).map(toResult),
  };
}

/** Errors: `ProviderError` (unreadable) when one before it may be the target, under an address that was respelled. */
function firstOf(
  entries: Ranked[],
  target: RankTarget,
  spelling: UrlSpelling | undefined,
  provider: string,
): Ranked | null {
  for (const entry of entries) {
    const isTarget = matchesTarget(target, entry.url, spelling);
    if (isTarget === null) throw createRespelledUrlError(provider);
    if (isTarget) return entry;
  }
  return null;
}

function toResult({ rank, url, title, page }: Ranked): FoundResult {
  return { position: rank, url, title, page };
}

function toQuery({ keyword, country, language, device }: RankQuestion): SerpQuery {
  return { query: keyword, country, language, device, isUnfiltered: false };
}

function answerOf({ competitors }: RankQuestion, soFar: Climb, provider: string): RankAnswer {
  const { found } = soFar;
  return {
    found: found !== null,
    rank: found?.rank ?? null,
    ranked_url: found?.url ?? null,
    page: found?.page ?? null,
    position_on_page: found?.positionOnPage ?? null,
    pages_searched: soFar.pagesSearched,
    featured_snippet_url: soFar.featuredSnippetUrl,
    provider,
    ...(competitors.length > 0
      ? { competitors: competitors.map((one) => rankOf(one, soFar, provider)) }
      : {}),
    ...(soFar.isSimulated ? { simulated: true as const } : {}),
  };
}

function rankOf(
  { url, target }: RankQuestion['competitors'][number],
  { ranking, urlSpelling }: Climb,
  provider: string,
): Competitor {
  const seen = firstOf(ranking.entries, target, urlSpelling, provider);
  return { url, rank: seen?.rank ?? null, ranked_url: seen?.url ?? null };
}

/** The counters of a summary that an answer adds one to. */
export function tallyOf({ rank }: RankAnswer): string[] {
  if (rank === null) return ['not_ranked'];
  const reached = [3, 10, 20, 100].filter((top) => rank <= top);
  return ['ranked', ...reached.map((top) => `top_${top}`)];
}
