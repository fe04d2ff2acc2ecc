import { isDeepStrictEqual } from 'node:util';
import { endPageUnit, type PointRow, pointFlags } from '../../db/monitors/points.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import type { AiOverview } from '../../schemas/features.ts';
import type { RankQuery } from '../../schemas/keyword.ts';

/** Facts of an HTTP status check. A missing field is unknown, for example because bot protection hides the page. */
export interface HttpFacts {
  status?: number;
  error?: string | null;
  is_soft404?: boolean;
  noindex?: 'meta' | 'header' | null;
  initial_status?: number;
  final_url?: string;
  canonical?: string | null;
  title?: string | null;
}

export interface IndexFacts {
  is_indexed?: boolean;
  matched_url?: string | null;
}

/** `depth` is the number of searched positions, or the rank if there is one. */
export interface RankFacts {
  rank?: number | null;
  ranked_url?: string | null;
  depth?: number;
}

/**
 * AI Overview of a query. An unread overview counts as shown. Whether the overview cites the target is then unknown.
 */
export interface OverviewFacts {
  ai_overview?: 'shown' | 'not_shown';
  ai_cited?: boolean;
  ai_cited_url?: string | null;
}

export interface SnippetFacts {
  snippet_owned?: boolean;
}

/** Fields of an answer that are compared. Each group is compared separately. A baseline has the same fields. */
interface FactsByType {
  http: HttpFacts;
  index: IndexFacts;
  keyword: RankFacts;
  overview: OverviewFacts;
  snippet: SnippetFacts;
}
export type FactName = keyof FactsByType;
export type FactsOf<T extends FactName = FactName> = FactsByType[T];

/** Parts of a rank check that are compared separately from the rank. */
export const partNames = ['overview', 'snippet'] as const;
export type PartName = (typeof partNames)[number];

const urlCharsMax = 512;
/** Number of results counted per searched page. Google's pages hold eight to ten results. */
const resultsPerPage = 10;

const factReaders: { [T in CheckType]: (answer: AnswerOf<T>, input: InputOf<T>) => FactsOf<T> } = {
  http: httpFacts,
  index: ({ is_indexed, matched_url }) => ({ is_indexed, matched_url: cut(matched_url) }),
  keyword: (answer, input) => ({
    rank: answer.rank,
    ranked_url: cut(answer.ranked_url),
    depth: answer.rank ?? toDepth(answer, input),
  }),
};

/** Extracts the facts of an answer. URLs are cut to 512 characters. Unknown fields are missing (docs/monitors.md). */
export function toFacts<T extends CheckType>(type: T, answer: AnswerOf<T>, input: InputOf<T>): FactsOf<T> {
  return factReaders[type](answer, input);
}

/** Extracts the facts of the overview and the snippet. A part is null if the query does not ask for the part. */
export function toPartFacts({
  ai_overview: overview,
  features,
  features_visible: visible,
}: AnswerOf<'keyword'>): { [P in PartName]: FactsOf<P> | null } {
  const snippet = features?.find(({ type }) => type === 'featured_snippet');
  const isOwned = snippet ? snippet.owned : visible?.includes('featured_snippet') ? false : null;
  return {
    overview: overview ? overviewFacts(overview) : null,
    snippet: features ? (isOwned === null ? {} : { snippet_owned: isOwned }) : null,
  };
}

function overviewFacts({ state, cited, cited_url: url }: AiOverview): OverviewFacts {
  if (state === 'unknown') return {};
  return {
    ai_overview: state === 'not_shown' ? 'not_shown' : 'shown',
    ...(cited === null ? {} : { ai_cited: cited, ai_cited_url: cut(url) }),
  };
}

function httpFacts(answer: AnswerOf<'http'>): HttpFacts {
  if (answer.bot_wall) return {};
  const { status, error, is_soft404, initial_status } = answer;
  if (status === 0) return { status, error };
  return {
    status,
    error,
    initial_status,
    final_url: answer.final_url.replace(/#.*$/s, '').slice(0, urlCharsMax),
    ...(answer.soft404_checked ? { is_soft404 } : {}),
    ...(status === 200 ? pageFacts(answer) : {}),
  };
}

// If title and canonical URL are both missing, the page may have been unreadable. Both are then unknown.
function pageFacts(answer: AnswerOf<'http'>): HttpFacts {
  const { title, canonical, noindex, content_type, soft404_checked } = answer;
  const isRead = soft404_checked || Boolean(title) || Boolean(canonical);
  // Content that is not HTML can only set noindex with a header.
  const isNoindexKnown =
    isRead || noindex === 'header' || (content_type !== null && !/html/i.test(content_type));
  return {
    ...(isNoindexKnown && noindex !== undefined ? { noindex } : {}),
    ...(isRead && canonical !== undefined ? { canonical } : {}),
    ...(isRead && title !== undefined ? { title } : {}),
  };
}

// If the results ended early, a searched page counts as ten results. Otherwise, the depth is the number of results that
// were read.
function toDepth(answer: AnswerOf<'keyword'>, { start_page, end_page }: RankQuery): number {
  const { pages_searched, asked } = answer;
  const lastPage = start_page - 1 + pages_searched;
  const results = asked?.[0]?.results;
  const hasEnded = lastPage < end_page;
  if (hasEnded || results === undefined) return lastPage * resultsPerPage;
  return (start_page - 1) * resultsPerPage + results;
}

function cut(url: string | null): string | null {
  return url === null ? null : url.slice(0, urlCharsMax);
}

type Point = Pick<PointRow, 'value' | 'flags' | 'rivals'>;

const pointMakers: { [T in CheckType]: (answer: AnswerOf<T>, input: InputOf<T>) => Partial<Point> } = {
  http: ({ status, is_soft404, soft404_checked, bot_wall }) => ({
    value: status,
    flags:
      (is_soft404 ? pointFlags.soft404 : 0) +
      (soft404_checked ? 0 : pointFlags.unjudged) +
      (bot_wall ? pointFlags.walled : 0),
  }),
  index: ({ is_indexed }) => ({ value: is_indexed ? 1 : 0 }),
  keyword: ({ rank, competitors, ai_overview: overview }, { end_page: endPage }) => ({
    value: rank,
    flags: endPage * endPageUnit + (overview ? toOverviewFlags(overviewFacts(overview)) : 0),
    rivals: competitors ? Object.fromEntries(competitors.map((one) => [one.url, one.rank])) : null,
  }),
};

function toOverviewFlags({ ai_overview: state, ai_cited: isCited }: OverviewFacts): number {
  return (
    (state === 'shown' ? pointFlags.overviewShown : 0) +
    (state === 'not_shown' ? pointFlags.overviewNotShown : 0) +
    (isCited === true ? pointFlags.cited : 0) +
    (isCited === false ? pointFlags.uncited : 0)
  );
}

/**
 * Converts an answer to a chart point. `isUnconfirmed` is true for a loss that a second check must confirm.
 * `isOverviewUnconfirmed` is true for a lost citation that a second check must confirm. The point then leaves the
 * citation unknown.
 */
export function toPoint<T extends CheckType>(
  type: T,
  answer: AnswerOf<T>,
  input: InputOf<T>,
  { isUnconfirmed, isOverviewUnconfirmed }: { isUnconfirmed: boolean; isOverviewUnconfirmed: boolean },
): Point {
  const point = { value: null, flags: 0, rivals: null, ...pointMakers[type](answer, input) };
  const flags = isOverviewUnconfirmed ? point.flags & ~pointFlags.uncited : point.flags;
  return { ...point, flags: isUnconfirmed ? flags + pointFlags.unconfirmed : flags };
}

/** Returns true if two points are equal. Ignores the mark of an unconfirmed loss. */
export function isSamePoint(before: Point, now: Point): boolean {
  const compared = ~pointFlags.unconfirmed;
  return (
    before.value === now.value &&
    (before.flags & compared) === (now.flags & compared) &&
    isDeepStrictEqual(before.rivals, now.rivals)
  );
}
