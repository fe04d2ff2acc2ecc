import { isSamePage, toComparable } from '../../checks/search/target.ts';
import { type ChangeKind, getChangeKind, rankThresholds } from '../../schemas/change-kinds.ts';
import type {
  FactName,
  FactsOf,
  HttpFacts,
  IndexFacts,
  OverviewFacts,
  RankFacts,
  SnippetFacts,
} from './facts.ts';

/** A change, with the fields that differ: their values at the last notification (`before`) and now (`after`). */
interface Change {
  kind: ChangeKind;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

export interface Comparison<T extends FactName = FactName> {
  /** Null if there is nothing to notify. */
  change: Change | null;
  /** Facts that the next answer is compared with, after this change is notified. */
  baseline: FactsOf<T>;
}

interface RankOptions {
  /** Minimum rank change to notify. */
  rankThreshold: number;
}

interface KnownState<T extends FactName = FactName> {
  /** Facts of the last notification. */
  facts: FactsOf<T>;
  /** The run that found an unconfirmed loss; null without such a loss. */
  pendingRunId: string | null;
}

export interface ChangeDecision<T extends FactName = FactName> {
  /** The change to notify, and its run; null if nothing is notified. */
  change: (Change & { runId: string }) | null;
  /** True for a loss that a second check must confirm first. */
  isUnconfirmed: boolean;
  known: KnownState<T>;
}

/**
 * Decides which change of an answer to notify. A loss is notified only if a second check also finds a loss. The second
 * check is the confirmation, or the next run if the confirmation gets no answer. The change belongs to the run that
 * first found the loss. A confirmation notifies only losses. Other changes are left to the next run. Source:
 * docs/monitors.md.
 */
export function decideChange<T extends FactName>(
  type: T,
  known: KnownState<T> | null,
  now: FactsOf<T>,
  run: { runId: string; confirms: string | null },
  options: RankOptions & { confirmLosses: boolean },
): ChangeDecision<T> {
  const pendingRunId = known?.pendingRunId ?? null;
  const { change, baseline } = compare(type, known?.facts ?? null, now, options);
  const unchanged = (facts: FactsOf<T>, pending: string | null = null): ChangeDecision<T> => ({
    change: null,
    isUnconfirmed: false,
    known: { facts, pendingRunId: pending },
  });
  if (!change)
    return unchanged(baseline, known && isInconclusive(type, known.facts, now) ? pendingRunId : null);
  const notified = (runId: string): ChangeDecision<T> => ({
    change: { ...change, runId },
    isUnconfirmed: false,
    known: { facts: baseline, pendingRunId: null },
  });
  if (!isLoss(change)) return run.confirms ? unchanged(known?.facts ?? now) : notified(run.runId);
  if (pendingRunId) return notified(pendingRunId);
  if (run.confirms) return unchanged(known?.facts ?? now);
  if (!options.confirmLosses) return notified(run.runId);
  return {
    change: null,
    isUnconfirmed: true,
    known: { facts: known?.facts ?? now, pendingRunId: run.runId },
  };
}

const uncomparedFields = new Set(['depth']);

/**
 * Compares an answer with the baseline: the facts of the last notification. Returns at most one change, with all fields
 * that differ. If there is no change, only missing fields and a greater search depth are added to the baseline. A slow
 * decline is therefore notified when its sum is large. The first answer becomes the baseline, as does a first rank
 * below the searched depth. Source: docs/monitors.md.
 */
export function compare<T extends FactName>(
  type: T,
  baseline: FactsOf<T> | null,
  now: FactsOf<T>,
  options: RankOptions,
): Comparison<T> {
  if (!baseline) return { change: null, baseline: now };
  const kind = finders[type](baseline, now, options);
  if (!kind && isBeyondDepth(baseline as RankFacts, now as RankFacts)) return { change: null, baseline: now };
  if (!kind) return { change: null, baseline: { ...now, ...baseline, ...greaterDepth(baseline, now) } };
  return { change: { kind, ...diff(baseline, now) }, baseline: { ...baseline, ...now } };
}

/** Returns true if a change is a loss. A second check may disprove a loss. */
export function isLoss({ kind, before, after }: Change): boolean {
  const { lossFrom } = getChangeKind(kind);
  if (lossFrom === undefined) return false;
  return lossFrom === 0 || Number(after.rank) - Number(before.rank) >= lossFrom;
}

/**
 * Returns true if the target ranks now, and the baseline was not searched deep enough to find this rank. The target may
 * have had the rank before.
 */
function isBeyondDepth(before: RankFacts, now: RankFacts): boolean {
  return before.rank === null && typeof now.rank === 'number' && now.rank > (before.depth ?? 0);
}

/** Returns the greater search depth of two answers without a rank. */
function greaterDepth(before: object, now: object): object {
  const [was, is] = [before, now] as [{ rank?: unknown; depth?: number }, { rank?: unknown; depth?: number }];
  if (was.rank !== null || is.rank !== null) return {};
  return { depth: Math.max(was.depth ?? 0, is.depth ?? 0) };
}

function diff(baseline: object, now: object): Pick<Change, 'before' | 'after'> {
  const notified = new Map(Object.entries(baseline));
  const fields = Object.entries(now).filter(
    ([field, value]) => !uncomparedFields.has(field) && notified.get(field) !== value,
  );
  return {
    before: Object.fromEntries(fields.map(([field]) => [field, notified.get(field) ?? null])),
    after: Object.fromEntries(fields),
  };
}

type Finder<T extends FactName> = (
  before: FactsOf<T>,
  now: FactsOf<T>,
  options: RankOptions,
) => ChangeKind | null;

const finders: { [T in FactName]: Finder<T> } = {
  http: httpKind,
  index: indexKind,
  keyword: rankKind,
  overview: overviewKind,
  snippet: snippetKind,
};

/**
 * Returns true if an answer cannot decide about a loss. Examples are bot protection, a search of fewer pages, and an
 * overview or snippet that could not be read.
 */
function isInconclusive<T extends FactName>(type: T, before: FactsOf<T>, now: FactsOf<T>): boolean {
  if (type === 'http') return (now as HttpFacts).status === undefined;
  if (type === 'overview') return (now as OverviewFacts).ai_cited === undefined;
  if (type === 'snippet') return (now as SnippetFacts).snippet_owned === undefined;
  if (type !== 'keyword') return false;
  const [was, is] = [before as RankFacts, now as RankFacts];
  return is.rank === null && typeof was.rank === 'number';
}

/** Returns true if both facts have the field and the values differ. */
function differs<F extends object>(before: F, now: F, field: keyof F): boolean {
  return before[field] !== undefined && now[field] !== undefined && before[field] !== now[field];
}

function httpKind(before: HttpFacts, now: HttpFacts): ChangeKind | null {
  if (differs(before, now, 'status')) {
    if (now.status === 0) return 'unreachable';
    return before.status === 0 ? 'recovered' : 'status_changed';
  }
  if (differs(before, now, 'is_soft404')) return now.is_soft404 ? 'soft404_appeared' : 'soft404_cleared';
  // A noindex that moves between the page and a header is not a change. Google treats both alike.
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

function overviewKind(before: OverviewFacts, now: OverviewFacts): ChangeKind | null {
  if (differs(before, now, 'ai_overview'))
    return now.ai_overview === 'shown' ? 'ai_overview_appeared' : 'ai_overview_gone';
  if (!differs(before, now, 'ai_cited')) return null;
  return now.ai_cited ? 'ai_cited' : 'ai_uncited';
}

function snippetKind(before: SnippetFacts, now: SnippetFacts): ChangeKind | null {
  if (!differs(before, now, 'snippet_owned')) return null;
  return now.snippet_owned ? 'snippet_won' : 'snippet_lost';
}

function rankKind(before: RankFacts, now: RankFacts, { rankThreshold }: RankOptions): ChangeKind | null {
  const [was, is] = [before.rank, now.rank];
  if (was === undefined || is === undefined || was === is) return landingKind(before, now);
  if (was === null) return is === null || isBeyondDepth(before, now) ? null : 'ranked';
  if (is === null) return (now.depth ?? 0) >= was ? 'not_ranked' : null;
  const isFarEnough =
    Math.abs(is - was) >= rankThreshold || rankThresholds.some((step) => was <= step !== is <= step);
  if (!isFarEnough) return landingKind(before, now);
  return is < was ? 'rank_up' : 'rank_down';
}

function landingKind(before: RankFacts, now: RankFacts): ChangeKind | null {
  if (!before.ranked_url || !now.ranked_url) return null;
  return isSameLanding(before.ranked_url, now.ranked_url) ? null : 'ranked_url_changed';
}

/** Ignores tracking parameters, because Google lists a page sometimes with and sometimes without them. */
function isSameLanding(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [toComparable(a), toComparable(b)];
  return one !== null && other !== null && isSamePage(one, other) === true;
}
