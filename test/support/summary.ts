import { tallyOf as tallyOfStatus } from '../../checks/http/http-status.ts';
import { tallyOf as tallyOfRank } from '../../checks/search/rank-check.ts';
import type { AnswerOf, CheckType } from '../../schemas/check-types.ts';

/** The summary of a batch in which these answers came. */
export function summaryOf(type: CheckType, answers: object[]): Record<string, number> {
  const summary: Record<string, number> = {};
  for (const word of answers.flatMap((answer) => tallies[type](answer as never))) {
    summary[word] = (summary[word] ?? 0) + 1;
  }
  return summary;
}

const tallies: { [T in CheckType]: (answer: AnswerOf<T>) => string[] } = {
  http: tallyOfStatus,
  index: ({ is_indexed: isIndexed }) => [isIndexed ? 'indexed' : 'not_indexed'],
  keyword: tallyOfRank,
};
