import { comparedDays } from '../db/batches/rank-series.ts';
import type { GroupFilter, TallyRow } from '../db/monitors/run-tallies.ts';
import type { CheckType } from '../schemas/check-types.ts';
import type { RankDistributionBody, SeriesEntry } from '../schemas/monitor-series.ts';
import type { GroupTally, RankDistribution, SubjectCounts } from '../schemas/run-tally.ts';
import { visibilityAt } from '../schemas/visibility.ts';
import { timestamp } from './bodies.ts';

type Row = TallyRow & { groups: GroupTally[] | null };

/** Returns the counts of a run. With a filter, returns the sums over `groups`, which must match the filter. */
export function seriesEntryBody(
  type: CheckType,
  { runId, at, tally, groups }: Row,
  filter: GroupFilter,
): SeriesEntry {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const asked = isFiltered ? sumCounts(groups ?? []) : tally;
  const { subjects, answered, failed, unconfirmed, own, rivals, overviews } = asked;
  return {
    run_id: runId,
    at: timestamp(at),
    subjects,
    answered,
    failed,
    unconfirmed,
    coverage: toShare(answered, subjects),
    ...(isFiltered ? {} : { changes: tally.kinds }),
    ...typeCounts(type, answered, tally.counts ?? {}),
    ...(type === 'keyword' ? { ranks: rankDistributionBody(own ?? noRanks()) } : {}),
    ...(overviews
      ? {
          ai_coverage: toShare(overviews.shown, overviews.known),
          ai_citation_rate: toShare(overviews.cited, overviews.read),
        }
      : {}),
    ...(rivals
      ? {
          competitors: Object.entries(rivals).map(([url, ranks]) => ({
            url,
            ...rankDistributionBody(ranks),
          })),
        }
      : {}),
  };
}

function typeCounts(type: CheckType, answered: number, counts: Record<string, number>): Partial<SeriesEntry> {
  const { indexed = 0, dead = 0, soft404 = 0, bot_wall = 0 } = counts;
  if (type === 'index') return { indexed, share_indexed: toShare(indexed, answered) };
  if (type !== 'http') return {};
  const seen = answered - bot_wall;
  return {
    dead,
    soft404,
    bot_wall,
    share_dead: toShare(dead, seen),
    share_soft404: toShare(soft404, seen),
  };
}

/** Returns statistics of a target's ranks. `ranks` holds the number of queries by rank; 0 means not ranked. */
function rankDistributionBody({ ranks, moved }: RankDistribution): RankDistributionBody {
  const tops = { 3: 0, 10: 0, 20: 0, 100: 0 };
  let [all, rankSum, visibilitySum] = [0, 0, 0];
  // One pass, because a chart has thousands of distributions.
  for (const text in ranks) {
    const [rank, queries] = [Number(text), ranks[text] as number];
    all += queries;
    if (rank === 0) continue;
    rankSum += rank * queries;
    visibilitySum += visibilityAt(rank) * queries;
    if (rank <= 3) tops[3] += queries;
    if (rank <= 10) tops[10] += queries;
    if (rank <= 20) tops[20] += queries;
    if (rank <= 100) tops[100] += queries;
  }
  const ranked = all - (ranks[0] ?? 0);
  return {
    top_3: tops[3],
    top_10: tops[10],
    top_20: tops[20],
    top_100: tops[100],
    not_ranked: ranks[0] ?? 0,
    visibility: toShare(visibilitySum, all),
    average_rank: ranked === 0 ? null : round(rankSum / ranked, 2),
    differences: toDifferences(moved),
  };
}

function toDifferences(moved: RankDistribution['moved']): RankDistributionBody['differences'] {
  const all = comparedDays.map((days) => {
    const [queries, before, now] = moved[days] ?? [0, 0, 0];
    const difference = {
      queries,
      average_rank_before: round(before / queries, 2),
      average_rank_now: round(now / queries, 2),
    };
    return [`day_${days}`, queries === 0 ? null : difference];
  });
  return Object.fromEntries(all);
}

/** Adds up counts of groups. No query may be in two groups. */
export function sumCounts(groups: SubjectCounts[]): SubjectCounts {
  const total: SubjectCounts = { subjects: 0, answered: 0, failed: 0, unconfirmed: 0 };
  for (const group of groups) {
    for (const field of ['subjects', 'answered', 'failed', 'unconfirmed'] as const)
      total[field] += group[field];
    if (group.own) total.own = addRanks(total.own, group.own);
    if (group.overviews) {
      total.overviews ??= { known: 0, shown: 0, read: 0, cited: 0 };
      for (const field of ['known', 'shown', 'read', 'cited'] as const)
        total.overviews[field] += group.overviews[field];
    }
    for (const [url, distribution] of Object.entries(group.rivals ?? {})) {
      total.rivals ??= {};
      total.rivals[url] = addRanks(total.rivals[url], distribution);
    }
  }
  return total;
}

/** Adds a distribution to a sum in place, because a chart adds up thousands of them. Returns the sum. */
function addRanks(sum: RankDistribution = noRanks(), { ranks, moved }: RankDistribution): RankDistribution {
  for (const rank in ranks) sum.ranks[rank] = (sum.ranks[rank] ?? 0) + (ranks[rank] as number);
  for (const [days, [queries, before, now]] of Object.entries(moved)) {
    const [q, then, since] = sum.moved[days] ?? [0, 0, 0];
    sum.moved[days] = [q + queries, then + before, since + now];
  }
  return sum;
}

function noRanks(): RankDistribution {
  return { ranks: {}, moved: {} };
}

function toShare(part: number, whole: number): number | null {
  return whole === 0 ? null : round(part / whole, 4);
}

function round(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}
