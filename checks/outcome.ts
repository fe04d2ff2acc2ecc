import type { ItemError } from '../schemas/failures.ts';
import type { FoundResult } from '../schemas/keyword.ts';

/**
 * What one check came to. An answer is paid for, also when it is bad news; a failure says why there is no
 * answer and is refunded. `tally` names the counters of a batch's summary that the answer adds one to.
 */
export type Outcome<A extends object = object> = Answered<A> | Failed;

export interface Answered<A extends object = object> {
  state: 'success';
  answer: A;
  tally: string[];
  /** What a second look may change; null when there is nothing to ask again. */
  again: Again | null;
  /** Absent when nobody was paid. */
  cost?: Cost;
  /** What was searched for to find it; absent for checks that search nothing. */
  asked?: Asked[];
  /** What was found on the way to a rank, in order; absent for other checks. */
  results?: FoundResult[];
}

/** One query of a search, and how many different results its pages showed. */
export interface Asked {
  query: string;
  provider: string;
  results: number;
}

export interface Failed {
  state: 'failed';
  error: ItemError;
  /** True for our own trouble, which may be over in a moment; false when trying again is pointless. */
  isRetryable: boolean;
  /** How long whoever failed asked to be left alone; null or absent when nothing was said. */
  retryAfterSeconds?: number | null;
  /** Every search provider was down, silent or limiting us, before a page was read. A batch waits for it to end. */
  isOutage?: true;
  /** There was no room for it: nothing was tried, and nothing is said of the target by that. */
  isPutOff?: true;
  /** What the operator may want to read; never shown to a caller. */
  cause?: unknown;
  /** What was paid all the same; absent when nothing was. */
  cost?: Cost;
}

/** What a check cost: pages of results that providers are paid for. */
export interface Cost {
  pages: number;
}

/**
 * `silence`: nobody answered. `throttled`: the host asked to be left alone, for so many seconds if it said
 * so.
 */
export type Again = { reason: 'silence' } | { reason: 'throttled'; afterSeconds: number | null };

/** What is kept of an answer. */
export interface KeptOutcome<A extends object> {
  /** The answer with the queries that were asked for it. */
  outcome: A;
  tally: string[];
  /** What was found on the way, if the input asked for that. */
  results?: FoundResult[];
}

/** What is kept of an answer to an input. */
export function keptOutcome<A extends object>(
  { answer, tally, asked, results }: Answered<A>,
  input: object,
): KeptOutcome<A> {
  const { include = [] } = input as { include?: string[] };
  return {
    outcome: asked ? { ...answer, asked } : answer,
    tally,
    ...(results && include.includes('results') ? { results } : {}),
  };
}
