import type { CheckType } from '../../schemas/check-types.ts';
import { type Change, compare, isLoss } from './compare.ts';
import type { FactsOf } from './facts.ts';
import { saysNothing, type Telling } from './kind-of.ts';

/** What is known of a subject before an answer. */
export interface Known<T extends CheckType = CheckType> {
  /** What was last told. */
  facts: FactsOf<T>;
  /** The run that saw a loss which waits to be confirmed; null when none does. */
  pendingRunId: string | null;
}

/** The run that an answer is of. `confirms`: the run whose losses it looks at again; null when it is none of those. */
export interface DecidingRun {
  runId: string;
  confirms: string | null;
}

export interface Decision<T extends CheckType = CheckType> {
  /** What is told, and under which run; null for nothing. */
  told: (Change & { runId: string }) | null;
  /** A loss that is to be looked at again before it is told. */
  isUnconfirmed: boolean;
  known: Known<T>;
}

/**
 * What to do about an answer. A loss is told when a second look has found one too: its confirmation's or, where that
 * brought no answer, that of the next run; under the run that saw it first. A confirmation tells losses only: what else
 * it finds is for the next run to tell. Source: docs/monitors.md.
 */
export function decide<T extends CheckType>(
  type: T,
  known: Known<T> | null,
  now: FactsOf<T>,
  run: DecidingRun,
  telling: Telling & { confirmLosses: boolean },
): Decision<T> {
  const pendingRunId = known?.pendingRunId ?? null;
  const { change, baseline } = compare(type, known?.facts ?? null, now, telling);
  const quiet = (facts: FactsOf<T>, pending: string | null = null) => ({
    told: null,
    isUnconfirmed: false,
    known: { facts, pendingRunId: pending },
  });
  if (!change) return quiet(baseline, known && saysNothing(type, known.facts, now) ? pendingRunId : null);
  const tell = (runId: string) => ({
    told: { ...change, runId },
    isUnconfirmed: false,
    known: { facts: baseline, pendingRunId: null },
  });
  if (!isLoss(change)) return run.confirms ? quiet(known?.facts ?? now) : tell(run.runId);
  if (pendingRunId) return tell(pendingRunId);
  // What it was to confirm has been decided since.
  if (run.confirms) return quiet(known?.facts ?? now);
  if (!telling.confirmLosses) return tell(run.runId);
  return {
    told: null,
    isUnconfirmed: true,
    known: { facts: known?.facts ?? now, pendingRunId: run.runId },
  };
}
