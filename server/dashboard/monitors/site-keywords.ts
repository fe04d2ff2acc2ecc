import type { Request } from 'express';
import * as points from '../../../db/monitors/points.ts';
import type { TrackedKeyword } from '../../../db/monitors/rank-sites.ts';
import type { GroupFilter } from '../../../db/monitors/run-tallies.ts';
import { visibilityAt } from '../../../schemas/visibility.ts';
import { overviewFields } from '../../../wire/subjects.ts';
import { isUnreached, type Search } from '../evidence/rank-move.ts';
import { readQueryText, readQueryWord } from '../paging.ts';
import { metrics } from './site-summary.ts';
import { type OverviewView, toOverview } from './subject-view.ts';

export const periods = ['7', '30', '90', '365'] as const;
const sorts = ['rank', 'keyword', 'gain', 'loss', 'best'] as const;
const positions = { 'top-3': 3, 'top-10': 10, 'top-20': 20, 'top-100': 100 } as const;
const positionWords = [...(Object.keys(positions) as Array<keyof typeof positions>), 'not-ranked'] as const;
const movements = ['up', 'down', 'same'] as const;
const overviews = ['cited', 'not-cited', 'none'] as const;

export type SiteQuery = ReturnType<typeof readQuery>;

export function readQuery(req: Request) {
  return {
    days: readQueryWord(req, 'days', periods) ?? '30',
    metric: readQueryWord(req, 'metric', metrics) ?? 'average_rank',
    sort: readQueryWord(req, 'sort', sorts) ?? 'rank',
    search: readQueryText(req, 'q'),
    tag: readQueryText(req, 'tag'),
    device: readQueryWord(req, 'device', ['desktop', 'mobile'] as const),
    country: readQueryText(req, 'country', 2),
    location: readQueryText(req, 'location'),
    position: readQueryWord(req, 'position', positionWords),
    moved: readQueryWord(req, 'moved', movements),
    overview: readQueryWord(req, 'overview', overviews),
  };
}

/** Returns the filters that also apply to the summary, the chart, the winners and the losers. */
export function readGroup({ tag, device, country, location }: SiteQuery): GroupFilter {
  return {
    ...(tag && { tag }),
    ...(device && { device }),
    ...(country && { country }),
    ...(location && { location }),
  };
}

export function isInGroup({ keyword: { input } }: Compared, query: SiteQuery): boolean {
  const conditions = Object.entries(readGroup(query)) as Array<[keyof GroupFilter, string]>;
  return conditions.every(([name, value]) => input[name] === value);
}

function isMatching({ keyword, gain }: Compared, { search, position, moved, overview }: SiteQuery): boolean {
  const { rank, answeredAt, input } = keyword;
  if (search && !input.keyword.toLowerCase().includes(search.toLowerCase())) return false;
  if (position === 'not-ranked' && (rank !== null || !answeredAt)) return false;
  if (position && position !== 'not-ranked' && (rank === null || rank > positions[position])) return false;
  if (overview && findOverview(keyword)?.name !== overview) return false;
  if (moved === 'same') return gain === 0;
  return !moved || (gain !== null && (moved === 'up' ? gain > 0 : gain < 0));
}

/** Compares the first 100 characters. Longer texts of combining marks would take quadratic time. */
function compareNames(a: string, b: string): number {
  return a.slice(0, 100).localeCompare(b.slice(0, 100), 'en');
}

export function findOverview({ flags }: TrackedKeyword): OverviewView | null {
  return toOverview(overviewFields(flags));
}

const byRank = (a: number | null, b: number | null) => (a ?? 1000) - (b ?? 1000);
const comparisons: Record<SiteQuery['sort'], (a: Compared, b: Compared) => number> = {
  rank: (a, b) => byRank(a.keyword.rank, b.keyword.rank),
  keyword: (a, b) => compareNames(a.keyword.input.keyword, b.keyword.input.keyword),
  gain: (a, b) => (b.gain ?? 0) - (a.gain ?? 0),
  loss: (a, b) => (a.gain ?? 0) - (b.gain ?? 0),
  best: (a, b) => byRank(a.keyword.best, b.keyword.best),
};

/** A keyword with its change in the period. */
export interface Compared {
  keyword: TrackedKeyword;
  /** Number of places that the keyword moved up; null without two answers. Not ranked is treated as rank 101. */
  gain: number | null;
  /** Change of the keyword's visibility. This is larger for a move from #7 to #1 than for a move from #70 to #40. */
  visibilityGain: number;
}

export function toComparison(keyword: TrackedKeyword): Omit<Compared, 'keyword'> {
  const { rank, before } = keyword;
  if (!isComparable(keyword) || isUnreached(toSearch(before), toSearch(keyword)))
    return { gain: null, visibilityGain: 0 };
  return {
    gain: (before.rank ?? 101) - (rank ?? 101),
    visibilityGain: visibilityAt(rank ?? 0) - visibilityAt(before.rank ?? 0),
  };
}

export function isComparable({ answeredAt, isUnconfirmed, before }: TrackedKeyword): boolean {
  return answeredAt !== null && before.at !== null && !isUnconfirmed;
}

export function toSearch({ rank, flags }: Pick<TrackedKeyword, 'rank' | 'flags'>): Search {
  return { rank, endPage: points.toEndPage(flags) };
}

/** Returns the keywords that the filters select, sorted. */
export function findShown(all: Compared[], query: SiteQuery): TrackedKeyword[] {
  return all
    .filter((one) => isInGroup(one, query) && isMatching(one, query))
    .sort(comparisons[query.sort])
    .map(({ keyword }) => keyword);
}
