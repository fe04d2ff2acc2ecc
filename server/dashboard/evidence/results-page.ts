import { matchesTarget, parseRankTarget, type RankTarget } from '../../../checks/search/target.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import * as resultPages from '../../../db/batches/result-pages.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import type { RankQuery } from '../../../schemas/keyword.ts';
import { describeFeatures, describeOverview } from './evidence.ts';

type RankItem = Extract<ItemRow, { type: 'keyword'; state: 'success' }>;

/** Tells whether a URL belongs to the target or to a competitor. */
interface Owner {
  isOwn: boolean;
  isCompetitor: boolean;
}

/** Returns the parts of a results page that the query asked for and that are still stored. */
export async function findResultsPage(db: Db, accountId: number, { requestId, input, outcome }: RankItem) {
  const stored = (await resultPages.find(db, accountId, [requestId])).get(requestId);
  const { ai_overview: overview } = outcome;
  const sources = stored?.overview?.sources ?? [];
  const toOwner = createOwnerFinder(input);
  return {
    /** Null if the query did not ask for the AI Overview. */
    overview: overview
      ? {
          /** Whether it was shown, and whether it cites the target. */
          words: describeOverview(overview),
          /** True if it was shown, but its text and sources have been deleted. */
          isDeleted: overview.state === 'shown' && !stored?.overview,
          text: stored?.overview?.text ?? null,
          sources: sources.map((one) => {
            const owner = toOwner(one.url);
            return { ...one, ...owner, isOwn: owner.isOwn || one.position === overview.citation };
          }),
        }
      : null,
    /** The other blocks of the page; null if no others are known. */
    features: describeFeatures(outcome),
    /** Null if no organic results are stored. */
    rows: stored?.results?.map((one) => ({ ...one, ...toOwner(one.url) })) ?? null,
  };
}

function createOwnerFinder(query: RankQuery): (url: string) => Owner {
  const own = parseRankTarget(query.target_url, query.match);
  const competitors = (query.competitor_urls ?? []).map((url) => parseRankTarget(url));
  const isAt = (target: RankTarget | null, url: string) =>
    target !== null && matchesTarget(target, url) === true;
  return (url) => ({ isOwn: isAt(own, url), isCompetitor: competitors.some((one) => isAt(one, url)) });
}
