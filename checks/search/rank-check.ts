import { withoutFragment } from '../../net/url.ts';
import type { RankAnswer, RankQuery } from '../../schemas/keyword.ts';
import type { Outcome } from '../outcome.ts';
import { readLanguage } from './google/locales.ts';
import type { AskForPage, Asking, Search } from './search.ts';
import { searchFailure } from './search-error.ts';
import type { Serp, SerpRequest } from './serp.ts';
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

const resultsPerPage = 10;
/** While somebody waits, so many pages are asked for at once, one group after the other. */
const groupsAhead = [1, 3, 6];

/**
 * Where a target ranks for a keyword: different organic addresses counted from the top of page 1 to the match. A page on
 * the way that cannot be read means no answer (DESIGN.md section 4).
 */
export async function checkRank(
  question: RankQuestion,
  search: Search,
  asking: Asking,
): Promise<Outcome<RankAnswer>> {
  try {
    const answer = await search.withFailover(
      toRequest(question, question.startPage),
      asking,
      (ask, provider) => climb(question, ask, { provider, isAhead: asking.deadlineMs !== null }),
    );
    return { state: 'success', answer, tally: tallyOf(answer), again: null };
  } catch (error) {
    return searchFailure(error);
  }
}

/** How far the search has come. */
interface Climb {
  /** Addresses counted so far, without fragments. */
  counted: Set<string>;
  pagesSearched: number;
  /** Addresses of the last page that no page before had; none is how Google ends. */
  newOnPage: number;
  featuredSnippetUrl: string | null;
  isSimulated: boolean;
}

interface Found {
  rank: number;
  ranked_url: string;
  page: number;
  position_on_page: number;
}

async function climb(
  question: RankQuestion,
  ask: AskForPage,
  { provider, isAhead }: { provider: string; isAhead: boolean },
): Promise<RankAnswer> {
  const soFar: Climb = {
    counted: new Set(),
    pagesSearched: 0,
    newOnPage: 0,
    featuredSnippetUrl: null,
    isSimulated: false,
  };
  const above = (question.startPage - 1) * resultsPerPage;
  for (const pages of groupsOf(question, isAhead)) {
    const asked = pages.map((page) => ask(toRequest(question, page)));
    // What a page after the match or the end came to is of no interest, also when it failed.
    for (const serp of asked) serp.catch(() => {});
    for (const [index, page] of pages.entries()) {
      const serp = (await asked[index]) as Serp;
      const found = lookOver(serp, page, above, question.target, soFar);
      if (found) return answerOf(soFar, provider, found);
      if (soFar.newOnPage === 0) return answerOf(soFar, provider, null);
    }
  }
  return answerOf(soFar, provider, null);
}

/** Counts a page's addresses until one matches. */
function lookOver(serp: Serp, page: number, above: number, target: Target, soFar: Climb): Found | null {
  soFar.pagesSearched += 1;
  soFar.isSimulated ||= serp.isSimulated === true;
  if (page === 1) soFar.featuredSnippetUrl = serp.featuredSnippetUrl;
  soFar.newOnPage = 0;
  for (const [index, { url }] of serp.results.entries()) {
    const address = withoutFragment(url);
    if (!soFar.counted.has(address)) {
      soFar.counted.add(address);
      soFar.newOnPage += 1;
    }
    if (matchesTarget(target, url)) {
      const rank = above + [...soFar.counted].indexOf(address) + 1;
      return { rank, ranked_url: url, page, position_on_page: index + 1 };
    }
  }
  return null;
}

function groupsOf({ startPage, endPage }: RankQuestion, isAhead: boolean): number[][] {
  const pages = Array.from({ length: endPage - startPage + 1 }, (_, index) => startPage + index);
  if (!isAhead) return pages.map((page) => [page]);
  const groups: number[][] = [];
  for (const size of groupsAhead) groups.push(pages.splice(0, size));
  return groups.filter(({ length }) => length > 0);
}

function toRequest({ keyword, country, language, device }: RankQuestion, page: number): SerpRequest {
  return { query: keyword, country, language, device, page, isUnfiltered: false };
}

function answerOf(soFar: Climb, provider: string, found: Found | null): RankAnswer {
  return {
    found: found !== null,
    rank: found?.rank ?? null,
    ranked_url: found?.ranked_url ?? null,
    page: found?.page ?? null,
    position_on_page: found?.position_on_page ?? null,
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
