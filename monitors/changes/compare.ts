import { type ChangeKind, changeKindEntry } from '../../schemas/change-kinds.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type { FactsOf } from './facts.ts';
import { kindOf, type Telling } from './kind-of.ts';

/** What became of a subject: the kind, and the fields that differ, as last told and as they are now. */
export interface Change {
  kind: ChangeKind;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

export interface Comparison<T extends CheckType = CheckType> {
  /** Null where there is nothing to tell. */
  change: Change | null;
  /** What the next answer is compared with, once this change is told. */
  baseline: FactsOf<T>;
}

/** How the answer was found, which is nobody's news. */
const silentFields = new Set(['depth']);

/**
 * An answer compared with what was last told of its subject. Shape: one change at most, with all that differs; without
 * one the baseline stays where it is, so that a slow slide is told when it has added up, and only takes in what was
 * never said before. Without a baseline the answer is one. Source: docs/monitors.md.
 */
export function compare<T extends CheckType>(
  type: T,
  baseline: FactsOf<T> | null,
  now: FactsOf<T>,
  telling: Telling,
): Comparison<T> {
  if (!baseline) return { change: null, baseline: now };
  const kind = kindOf(type, baseline, now, telling);
  if (!kind) return { change: null, baseline: { ...now, ...baseline, ...deeper(baseline, now) } };
  return { change: { kind, ...differing(baseline, now) }, baseline: { ...baseline, ...now } };
}

/** Whether a change is a loss, which may be gone when one looks again. */
export function isLoss({ kind, before, after }: Change): boolean {
  const { lossFrom } = changeKindEntry(kind);
  if (lossFrom === undefined) return false;
  return lossFrom === 0 || Number(after.rank) - Number(before.rank) >= lossFrom;
}

/** Two answers that found nothing: it is known down to the deeper of them. */
function deeper(before: object, now: object): object {
  const [was, is] = [before, now] as [{ rank?: unknown; depth?: number }, { rank?: unknown; depth?: number }];
  if (was.rank !== null || is.rank !== null) return {};
  return { depth: Math.max(was.depth ?? 0, is.depth ?? 0) };
}

function differing(baseline: object, now: object): Pick<Change, 'before' | 'after'> {
  const told = new Map(Object.entries(baseline));
  const fields = Object.entries(now).filter(
    ([field, value]) => !silentFields.has(field) && told.get(field) !== value,
  );
  return {
    before: Object.fromEntries(fields.map(([field]) => [field, told.get(field) ?? null])),
    after: Object.fromEntries(fields),
  };
}
