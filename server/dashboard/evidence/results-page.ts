import { matchesTarget, parseRankTarget, type RankTarget } from '../../../checks/search/target.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import * as resultPages from '../../../db/batches/result-pages.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import type { OverviewSource } from '../../../schemas/features.ts';
import type { FoundResult, RankQuery } from '../../../schemas/keyword.ts';
import { describeFeatures, describeOverview } from './evidence.ts';

type RankItem = Extract<ItemRow, { type: 'keyword'; state: 'success' }>;

/** Tells whether a URL belongs to the target or to a competitor. */
interface Owner {
  isOwn: boolean;
  isCompetitor: boolean;
}

/** The parts of a results page that the query asked for and that are still stored. */
interface ResultsPageView {
  /** Null if the query did not ask for the AI Overview. */
  overview: {
    /** Whether it was shown, and whether it cites the target. */
    words: string;
    /** True if it was shown, but its text and sources have been deleted. */
    isDeleted: boolean;
    text: string | null;
    sources: Array<OverviewSource & Owner>;
  } | null;
  /** The other blocks of the page; null if no others are known. */
  features: string | null;
  /** Null if no organic results are stored. */
  rows: Array<FoundResult & Owner> | null;
}

export async function findResultsPage(
  db: Db,
  accountId: number,
  { requestId, input, outcome }: RankItem,
): Promise<ResultsPageView> {
  const stored = (await resultPages.find(db, accountId, [requestId])).get(requestId);
  const { ai_overview: overview } = outcome;
  const sources = stored?.overview?.sources ?? [];
  const toOwner = createOwnerFinder(input);
  return {
    overview: overview
      ? {
          words: describeOverview(overview),
          isDeleted: overview.state === 'shown' && !stored?.overview,
          text: stored?.overview?.text ?? null,
          sources: sources.map((one) => {
            const owner = toOwner(one.url);
            return { ...one, ...owner, isOwn: owner.isOwn || one.position === overview.citation };
          }),
        }
      : null,
    features: describeFeatures(outcome),
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
