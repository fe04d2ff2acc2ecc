import type { RankAnswer, RankQuery } from './keyword.ts';

type Searched = Pick<RankAnswer, 'found' | 'pages_searched'>;
type Range = Pick<RankQuery, 'start_page' | 'end_page' | 'full'>;

/**
 * Returns a competitor's rank, or why it has none: `not_ranked` where all pages asked for were read, `not_searched`
 * where reading stopped at the target before that. The API has null for both.
 */
export function competitorStanding(
  { rank }: { rank: number | null },
  answer: Searched,
  range: Range,
): number | 'not_ranked' | 'not_searched' {
  if (rank !== null) return rank;
  const lastRead = range.start_page + answer.pages_searched - 1;
  const isReadToTheEnd = range.full || !answer.found || lastRead >= range.end_page;
  return isReadToTheEnd ? 'not_ranked' : 'not_searched';
}
