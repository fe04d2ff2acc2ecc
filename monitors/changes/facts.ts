import { type PointRow, pointFlags } from '../../db/monitors/points.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import type { RankQuery } from '../../schemas/keyword.ts';

/**
 * What an HTTP answer says about its URL. A missing field is unknown: a bot wall, for one, hides the page behind it.
 */
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

/** `depth`: how many places were searched; the rank itself where there is one. */
export interface RankFacts {
  rank?: number | null;
  ranked_url?: string | null;
  depth?: number;
}

/** The fields of an answer that are compared, as they are in the answer. A baseline holds the same. */
export interface FactsByType {
  http: HttpFacts;
  index: IndexFacts;
  keyword: RankFacts;
}
export type FactsOf<T extends CheckType = CheckType> = FactsByType[T];

const urlCharsMax = 512;
/** Nominally; Google's pages hold eight to ten. */
const placesPerPage = 10;

const readers: { [T in CheckType]: (answer: AnswerOf<T>, input: InputOf<T>) => FactsOf<T> } = {
  http: httpFacts,
  index: ({ is_indexed, matched_url }) => ({ is_indexed, matched_url: cut(matched_url) }),
  keyword: (answer, input) => ({
    rank: answer.rank,
    ranked_url: cut(answer.ranked_url),
    depth: answer.rank ?? depthOf(answer, input),
  }),
};

/**
 * What an answer says of its subject. Shape: fields of the answer, addresses cut to 512 characters; those that it says
 * nothing of are missing. Source: docs/monitors.md.
 */
export function factsOf<T extends CheckType>(type: T, answer: AnswerOf<T>, input: InputOf<T>): FactsOf<T> {
  return readers[type](answer, input);
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

// A page that could not be read has neither title nor canonical address, and that says nothing of either.
function pageFacts(answer: AnswerOf<'http'>): HttpFacts {
  const { title, canonical, noindex, content_type, soft404_checked } = answer;
  const isRead = soft404_checked || Boolean(title) || Boolean(canonical);
  // Anything but a page can only ask with a header.
  const isNoindexKnown =
    isRead || noindex === 'header' || (content_type !== null && !/html/i.test(content_type));
  return {
    ...(isNoindexKnown && noindex !== undefined ? { noindex } : {}),
    ...(isRead && canonical !== undefined ? { canonical } : {}),
    ...(isRead && title !== undefined ? { title } : {}),
  };
}

// Results that ended were searched to the end of their last page, others as far as they were seen.
function depthOf(answer: AnswerOf<'keyword'>, { start_page, end_page }: RankQuery): number {
  const { pages_searched, asked } = answer;
  const lastPage = start_page - 1 + pages_searched;
  const results = asked?.[0]?.results;
  const hasEnded = lastPage < end_page;
  if (hasEnded || results === undefined) return lastPage * placesPerPage;
  return (start_page - 1) * placesPerPage + results;
}

function cut(url: string | null): string | null {
  return url === null ? null : url.slice(0, urlCharsMax);
}

/** What is kept of an answer for a chart. */
type Point = Pick<PointRow, 'value' | 'flags' | 'rivals'>;

const makers: { [T in CheckType]: (answer: AnswerOf<T>) => Partial<Point> } = {
  http: ({ status, is_soft404, soft404_checked, bot_wall }) => ({
    value: status,
    flags:
      (is_soft404 ? pointFlags.soft404 : 0) +
      (soft404_checked ? 0 : pointFlags.unjudged) +
      (bot_wall ? pointFlags.walled : 0),
  }),
  index: ({ is_indexed }) => ({ value: is_indexed ? 1 : 0 }),
  keyword: ({ rank, competitors }) => ({
    value: rank,
    rivals: competitors?.map((competitor) => competitor.rank) ?? null,
  }),
};

/** Converts an answer to a point. `isUnconfirmed`: a loss that a second check must confirm. */
export function pointOf<T extends CheckType>(type: T, answer: AnswerOf<T>, isUnconfirmed: boolean): Point {
  const point = { value: null, flags: 0, rivals: null, ...makers[type](answer) };
  return isUnconfirmed ? { ...point, flags: point.flags + pointFlags.unconfirmed } : point;
}

/** Whether an answer repeats the one before, confirmed or not. */
export function isRepeated(before: Point, now: Point): boolean {
  const known = ~pointFlags.unconfirmed;
  return (
    before.value === now.value &&
    (before.flags & known) === (now.flags & known) &&
    JSON.stringify(before.rivals) === JSON.stringify(now.rivals)
  );
}
