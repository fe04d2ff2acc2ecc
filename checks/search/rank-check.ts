import type { RankAnswer, RankQuery } from '../../schemas/keyword.ts';
import type { Outcome } from '../outcome.ts';
import { readLanguage } from './google/locales.ts';
import { type Ranked, Ranking } from './ranking.ts';
import type { Reader } from './reader.ts';
import type { Asking, Search } from './search.ts';
import { searchFailure } from './search-error.ts';
import type { SerpQuery } from './serp.ts';
import { matchesTarget, readTarget, type Target } from './target.ts';

/** A stored or freshly read query as the engine takes it. What validation let through is taken for granted. */
export function questionOf(query: RankQuery): RankQuestion {
  const target = readTarget(query.target_url, query.match);
  const language = readLanguage(query.language);
  if (!target || !language) throw new TypeError('the caller validates queries');
  const { keyword, country, device, start_page: startPage, end_page: endPage } = query;
  return { target, keyword, country, language, device, startPage, endPage };
}

export interface RankQuestion {
  target: Target;
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
 * Where a target ranks for a keyword: different organic addresses counted from the top of page 1 to the match. A page on
 * the way that cannot be read means no answer.
 */
export async function checkRank(
  question: RankQuestion,
  search: Search,
  asking: Asking,
): Promise<Outcome<RankAnswer>> {
  try {
    const { answer, cost } = await search.withFailover(toQuery(question), asking, (reader) =>
      climb(question, reader),
    );
    return { state: 'success', answer, tally: tallyOf(answer), again: null, cost };
  } catch (error) {
    return searchFailure(error);
  }
}

/** How far the search has come. */
interface Climb {
  pagesSearched: number;
  featuredSnippetUrl: string | null;
  isSimulated: boolean;
}

async function climb(question: RankQuestion, reader: Reader): Promise<RankAnswer> {
  const { startPage, endPage, target } = question;
  const ranking = new Ranking(startPage);
  const soFar: Climb = { pagesSearched: 0, featuredSnippetUrl: null, isSimulated: false };
  for await (const page of reader.pages(toQuery(question), {
    from: startPage,
    to: endPage,
    stopAt: target,
  })) {
    if (soFar.pagesSearched === 0 && startPage === 1) soFar.featuredSnippetUrl = page.featuredSnippetUrl;
    soFar.pagesSearched += page.pagesRead;
    soFar.isSimulated ||= page.isSimulated === true;
    const added = ranking.add(page);
    const found = added.find(({ url }) => matchesTarget(target, url));
    if (found) return answerOf(soFar, reader.provider, found);
    if (added.length === 0) break;
  }
  return answerOf(soFar, reader.provider, null);
}

function toQuery({ keyword, country, language, device }: RankQuestion): SerpQuery {
  return { query: keyword, country, language, device, isUnfiltered: false };
}

function answerOf(soFar: Climb, provider: string, found: Ranked | null): RankAnswer {
  return {
    found: found !== null,
    rank: found?.rank ?? null,
    ranked_url: found?.url ?? null,
    page: found?.page ?? null,
    position_on_page: found?.positionOnPage ?? null,
    pages_searched: soFar.pagesSearched,
    featured_snippet_url: soFar.featuredSnippetUrl,
    provider,
    ...(soFar.isSimulated ? { simulated: true as const } : {}),
  };
}

function tallyOf({ rank }: RankAnswer): string[] {
  if (rank === null) return ['not_ranked'];
  const reached = [3, 10, 20, 100].filter((top) => rank <= top);
  return ['ranked', ...reached.map((top) => `top_${top}`)];
}
