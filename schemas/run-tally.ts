import type { ChangeKind } from './change-kinds.ts';

/** Ranks of a target or a competitor in a run. */
export interface RankDistribution {
  /** Number of queries by rank; `0`: not ranked. */
  ranks: Record<string, number>;
  /** By number of days back. Only queries that ranked then and rank now. `before` and `now` are sums of their ranks. */
  moved: Record<string, [queries: number, before: number, now: number]>;
}

export interface OverviewCounts {
  /** Queries for which it is known whether Google shows an overview. */
  known: number;
  shown: number;
  /** Overviews whose sources were read. `cited` is the number of these overviews that cite the target. */
  read: number;
  cited: number;
}

export interface SubjectCounts {
  subjects: number;
  answered: number;
  failed: number;
  /** Losses that are not yet confirmed. They are neither answered nor failed. */
  unconfirmed: number;
  /** Ranks of the target. Only for queries. */
  own?: RankDistribution;
  /** Ranks of competitors, by their URL as sent. Only for queries. */
  rivals?: Record<string, RankDistribution>;
  /** Only queries that have `ai_overview` in `include`. */
  overviews?: OverviewCounts;
}

/** Permanent summary of a run. Charts read this summary instead of all answers. */
export interface RunTally extends SubjectCounts {
  /** Number of changes that this run found first, by kind. */
  kinds: Partial<Record<ChangeKind, number>>;
  /** Only for URLs. Index checks have `indexed`. HTTP checks have `dead`, `soft404` and `bot_wall`. */
  counts?: Record<string, number>;
}

/** Counts of the queries with the same site, device, country, location and tag. */
export interface GroupTally extends SubjectCounts {
  /** Host of the target, without `www.`. */
  site: string;
  device: string;
  country: string;
  /** Missing for queries without a location. */
  location?: string;
  tag: string | null;
}
