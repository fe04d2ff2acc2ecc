import type { CheckType } from './check-types.ts';

interface ChangeKindEntry {
  /** Whose subjects can change so; null: those of any type whose list is a sitemap. */
  type: CheckType | null;
  /** What happened, as a sentence for people. */
  sentence: string;
  /** Whether it is good news; null where it may be either. */
  isGood: boolean | null;
  /** From how many places on it is a loss that is worth a second look; 0: always; absent: never. */
  lossFrom?: number;
}

/** Every way in which a subject of a monitor changes; of those that fit one type's answer the first is told. */
export const changeKinds = {
  unreachable: {
    type: 'http',
    sentence: 'The address no longer answers.',
    isGood: false,
    lossFrom: 0,
  },
  recovered: { type: 'http', sentence: 'The address answers again.', isGood: true },
  status_changed: { type: 'http', sentence: 'The address answers another status.', isGood: null },
  soft404_appeared: {
    type: 'http',
    sentence: 'The page still answers 200 and now says that it is not there.',
    isGood: false,
  },
  soft404_cleared: {
    type: 'http',
    sentence: 'The page no longer says that it is not there.',
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
    sentence: 'The address redirects elsewhere, or in another way.',
    isGood: null,
  },
  canonical_changed: {
    type: 'http',
    sentence: 'The page names another canonical address.',
    isGood: null,
  },
  title_changed: { type: 'http', sentence: 'The page has another title.', isGood: null },
  indexed: { type: 'index', sentence: 'The address came into Google’s index.', isGood: true },
  deindexed: {
    type: 'index',
    sentence: 'The address left Google’s index.',
    isGood: false,
    lossFrom: 0,
  },
  ranked: { type: 'keyword', sentence: 'The target came among the results.', isGood: true },
  not_ranked: {
    type: 'keyword',
    sentence: 'The target is no longer among the results.',
    isGood: false,
    lossFrom: 0,
  },
  rank_up: { type: 'keyword', sentence: 'The target rose.', isGood: true },
  rank_down: { type: 'keyword', sentence: 'The target fell.', isGood: false, lossFrom: 10 },
  ranked_url_changed: {
    type: 'keyword',
    sentence: 'Another page of the target ranks.',
    isGood: null,
  },
  joined_sitemap: { type: null, sentence: 'The sitemap lists the address now.', isGood: null },
  left_sitemap: { type: null, sentence: 'The sitemap no longer lists the address.', isGood: null },
} as const satisfies Record<string, ChangeKindEntry>;

export type ChangeKind = keyof typeof changeKinds;
export const changeKindNames = Object.keys(changeKinds) as ChangeKind[];

/** The ranks that are told when they are crossed, however short the way. */
export const rankSteps = [3, 10, 20] as const;

/** What the compiler knows only as one of the entries, as any of them. */
export function changeKindEntry(kind: ChangeKind): ChangeKindEntry {
  return changeKinds[kind];
}
