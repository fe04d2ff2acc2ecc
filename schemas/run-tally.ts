import type { ChangeKind } from './change-kinds.ts';

/** Distribution of the ranks of a target or a competitor over the queries of a run. */
export interface RankDistribution {
  /** Number of queries by rank; `0`: not ranked. */
  ranks: Record<string, number>;
  /**
   * By number of days back: the queries that were ranked then and now, the sum of their ranks then, and that sum now.
   */
  moved: Record<string, [queries: number, before: number, now: number]>;
}

/** Counts of AI Overviews. */
export interface OverviewCounts {
  /** Queries for which it is known whether Google shows an overview. */
  known: number;
  shown: number;
  /** Overviews whose sources were read, and those of them that cite the target. */
  read: number;
  cited: number;
}

/** Counts of subjects. */
export interface SubjectCounts {
  subjects: number;
  answered: number;
  failed: number;
  /** Losses that are not confirmed yet. They count neither as answered nor as failed. */
  unconfirmed: number;
  /** Queries only: ranks of the target. */
  own?: RankDistribution;
  /** Queries only: ranks of competitors, by their URL as sent. */
  rivals?: Record<string, RankDistribution>;
  /** Queries with an AI Overview in `include` only. */
  overviews?: OverviewCounts;
}

/** Permanent summary of a run, from which charts are drawn without reading each answer. */
export interface RunTally extends SubjectCounts {
  /** Number of changes that this run was the first to find, by kind. */
  kinds: Partial<Record<ChangeKind, number>>;
  /** URLs only: `indexed`, or `dead`, `soft404` and `bot_wall`. */
  counts?: Record<string, number>;
}

/** Counts of the queries with the same device, country and tag. */
export interface GroupTally extends SubjectCounts {
  device: string;
  country: string;
  tag: string | null;
}
