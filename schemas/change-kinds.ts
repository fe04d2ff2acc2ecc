import type { CheckType } from './check-types.ts';

interface ChangeKindEntry {
  /** Null for a change that any monitor of a sitemap can have. */
  type: CheckType | null;
  /** Part of the answer that is compared separately. Absent if the kind is about the other fields of the answer. */
  fact?: 'overview' | 'snippet';
  /** Text for people. */
  sentence: string;
  /** Null if the change can be good or bad. */
  isGood: boolean | null;
  /**
   * Minimum rank difference that counts as a loss. Losses are confirmed by a second check. If 0, every change of this
   * kind is a loss. If absent, no change of this kind is a loss.
   */
  lossFrom?: number;
}

/**
 * Kinds of changes of a monitor's subject. If several kinds with the same `fact` apply to an answer, the first of them
 * is reported.
 */
export const changeKinds = {
  unreachable: {
    type: 'http',
    sentence: 'The URL is no longer reachable.',
    isGood: false,
    lossFrom: 0,
  },
  recovered: { type: 'http', sentence: 'The URL is reachable again.', isGood: true },
  status_changed: { type: 'http', sentence: 'The status code changed.', isGood: null },
  soft404_appeared: {
    type: 'http',
    sentence: 'The page is now a soft 404.',
    isGood: false,
  },
  soft404_cleared: {
    type: 'http',
    sentence: 'The page is no longer a soft 404.',
    isGood: true,
  },
  noindex_appeared: {
    type: 'http',
    sentence: 'The page now asks Google not to index it.',
    isGood: false,
  },
  noindex_cleared: {
    type: 'http',
    sentence: 'The page no longer asks Google not to index it.',
    isGood: true,
  },
  redirect_changed: {
    type: 'http',
    sentence: 'The redirects changed.',
    isGood: null,
  },
  canonical_changed: {
    type: 'http',
    sentence: 'The canonical URL changed.',
    isGood: null,
  },
  title_changed: { type: 'http', sentence: 'The title changed.', isGood: null },
  indexed: { type: 'index', sentence: "The URL is now in Google's index.", isGood: true },
  deindexed: {
    type: 'index',
    sentence: "The URL is no longer in Google's index.",
    isGood: false,
    lossFrom: 0,
  },
  ranked: { type: 'keyword', sentence: 'The target now ranks.', isGood: true },
  not_ranked: {
    type: 'keyword',
    sentence: 'The target no longer ranks.',
    isGood: false,
    lossFrom: 0,
  },
  rank_up: { type: 'keyword', sentence: 'Moved up.', isGood: true },
  rank_down: { type: 'keyword', sentence: 'Dropped.', isGood: false, lossFrom: 10 },
  ranked_url_changed: {
    type: 'keyword',
    sentence: 'A different page of the target ranks.',
    isGood: null,
  },
  ai_overview_appeared: {
    type: 'keyword',
    fact: 'overview',
    sentence: 'Google now shows an AI Overview.',
    isGood: null,
  },
  ai_overview_gone: {
    type: 'keyword',
    fact: 'overview',
    sentence: 'Google no longer shows an AI Overview.',
    isGood: null,
  },
  ai_cited: {
    type: 'keyword',
    fact: 'overview',
    sentence: 'The AI Overview now cites the target.',
    isGood: true,
  },
  ai_uncited: {
    type: 'keyword',
    fact: 'overview',
    sentence: 'The AI Overview no longer cites the target.',
    isGood: false,
    lossFrom: 0,
  },
  snippet_won: {
    type: 'keyword',
    fact: 'snippet',
    sentence: 'The target now has the featured snippet.',
    isGood: true,
  },
  snippet_lost: {
    type: 'keyword',
    fact: 'snippet',
    sentence: 'The target no longer has the featured snippet.',
    isGood: false,
    lossFrom: 0,
  },
  joined_sitemap: { type: null, sentence: 'The sitemap now lists the URL.', isGood: null },
  left_sitemap: { type: null, sentence: 'The sitemap no longer lists the URL.', isGood: null },
} as const satisfies Record<string, ChangeKindEntry>;

export type ChangeKind = keyof typeof changeKinds;
export const changeKindNames = Object.keys(changeKinds) as ChangeKind[];

/** A rank change across one of these ranks is always reported, even if the difference is 1. */
export const rankThresholds = [3, 10, 20] as const;

/** Returns an entry with the type that all entries have in common. */
export function getChangeKind(kind: ChangeKind): ChangeKindEntry {
  return changeKinds[kind];
}
