import type { RankAnswer, RankQuery } from './keyword.ts';

type Searched = Pick<RankAnswer, 'found' | 'pages_searched'>;
type Range = Pick<RankQuery, 'start_page' | 'end_page' | 'full'>;

/**
 * Returns a competitor's rank. Without a rank, returns `not_ranked` if all requested pages were read, or `not_searched`
 * if the search stopped at the target. The API returns null for both.
 */
export function getCompetitorRank(
  { rank }: { rank: number | null },
  answer: Searched,
  range: Range,
): number | 'not_ranked' | 'not_searched' {
  if (rank !== null) return rank;
  const lastRead = range.start_page + answer.pages_searched - 1;
  const isReadToTheEnd = range.full || !answer.found || lastRead >= range.end_page;
  return isReadToTheEnd ? 'not_ranked' : 'not_searched';
}
