import { isSamePage, takeApart } from '../../checks/search/target.ts';
import type { ChangeKind } from '../../schemas/change-kinds.ts';
import { rankSteps } from '../../schemas/change-kinds.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type { FactsOf, HttpFacts, IndexFacts, RankFacts } from './facts.ts';

/** By how many places a rank must have moved to be told. */
export interface Telling {
  rankThreshold: number;
}

type Finder<T extends CheckType> = (
  before: FactsOf<T>,
  now: FactsOf<T>,
  telling: Telling,
) => ChangeKind | null;

const finders: { [T in CheckType]: Finder<T> } = { http: httpKind, index: indexKind, keyword: rankKind };

/** The first kind of change that fits, of what was told last and what is said now; null where there is none to tell. */
export function kindOf<T extends CheckType>(
  type: T,
  before: FactsOf<T>,
  now: FactsOf<T>,
  telling: Telling,
): ChangeKind | null {
  return finders[type](before, now, telling);
}

/** Whether an answer leaves open whether a loss has stood: it met a bot wall, or did not look as far down. */
export function saysNothing<T extends CheckType>(type: T, before: FactsOf<T>, now: FactsOf<T>): boolean {
  if (type === 'http') return (now as HttpFacts).status === undefined;
  if (type !== 'keyword') return false;
  const [was, is] = [before as RankFacts, now as RankFacts];
  return is.rank === null && typeof was.rank === 'number';
}

/** Whether both say something of a field, and not the same. */
function differs<F extends object>(before: F, now: F, field: keyof F): boolean {
  return before[field] !== undefined && now[field] !== undefined && before[field] !== now[field];
}

function httpKind(before: HttpFacts, now: HttpFacts): ChangeKind | null {
  if (differs(before, now, 'status')) {
    if (now.status === 0) return 'unreachable';
    return before.status === 0 ? 'recovered' : 'status_changed';
  }
  if (differs(before, now, 'is_soft404')) return now.is_soft404 ? 'soft404_appeared' : 'soft404_cleared';
  // Whether the page or a header asks is all one to Google.
  if (differs(before, now, 'noindex') && !(before.noindex && now.noindex))
    return now.noindex ? 'noindex_appeared' : 'noindex_cleared';
  if (differs(before, now, 'final_url') || differs(before, now, 'initial_status')) return 'redirect_changed';
  if (differs(before, now, 'canonical')) return 'canonical_changed';
  return differs(before, now, 'title') ? 'title_changed' : null;
}

function indexKind(before: IndexFacts, now: IndexFacts): ChangeKind | null {
  if (!differs(before, now, 'is_indexed')) return null;
  return now.is_indexed ? 'indexed' : 'deindexed';
}

function rankKind(before: RankFacts, now: RankFacts, { rankThreshold }: Telling): ChangeKind | null {
  const [was, is] = [before.rank, now.rank];
  if (was === undefined || is === undefined || was === is) return landingKind(before, now);
  // Nobody has looked as far down as that before.
  if (was === null) return is !== null && is <= (before.depth ?? 0) ? 'ranked' : null;
  if (is === null) return (now.depth ?? 0) >= was ? 'not_ranked' : null;
  const isFarEnough =
    Math.abs(is - was) >= rankThreshold || rankSteps.some((step) => was <= step !== is <= step);
  if (!isFarEnough) return landingKind(before, now);
  return is < was ? 'rank_up' : 'rank_down';
}

function landingKind(before: RankFacts, now: RankFacts): ChangeKind | null {
  if (!before.ranked_url || !now.ranked_url) return null;
  return isSameLanding(before.ranked_url, now.ranked_url) ? null : 'ranked_url_changed';
}

/** Google lists one page now with its tracking and now without. */
function isSameLanding(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [takeApart(a), takeApart(b)];
  return one !== null && other !== null && isSamePage(one, other) === true;
}
