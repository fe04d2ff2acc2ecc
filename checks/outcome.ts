import type { ItemError } from '../schemas/failures.ts';
import type { OverviewContents } from '../schemas/features.ts';
import type { FoundResult } from '../schemas/keyword.ts';

/** Outcome of one check: an answer, which is charged even if it is bad news, or a failure, which is refunded. */
export type Outcome<A extends object = object> = Answered<A> | Failed;

export interface Answered<A extends object = object> {
  state: 'success';
  answer: A;
  /** Counters of a batch's summary that the answer increments. */
  tally: string[];
  /** Reason to check once more; null without one. */
  recheck: RecheckReason | null;
  /** Absent when no provider was paid. */
  cost?: Cost;
  /** Queries sent to a provider; absent for checks without a search. */
  asked?: ExecutedQuery[];
  /** Search results in order; only for rank checks. */
  results?: FoundResult[];
  /** Contents of an AI Overview; only for rank checks that want it. */
  overview?: OverviewContents;
}

/** One query, and the number of different results on its pages. */
export interface ExecutedQuery {
  query: string;
  provider: string;
  results: number;
}

export interface Failed {
  state: 'failed';
  error: ItemError;
  /** True for a fault on our side that may end soon; false when a retry is pointless. */
  isRetryable: boolean;
  /** Pause that the target or provider requested; null or absent without one. */
  retryAfterSeconds?: number | null;
  /**
   * True if every search provider was down, silent or rate-limiting us before a page was read. A batch waits until the
   * outage ends.
   */
  isOutage?: true;
  /** True if the host had no free slot. No request was made, so the failure says nothing about the target. */
  hadNoSlot?: true;
  /** Error for the log; never shown to users. */
  cause?: unknown;
  /** Cost in spite of the failure; absent without one. */
  cost?: Cost;
}

/** Cost of a check in pages of results, which providers charge for. */
export interface Cost {
  pages: number;
}

/** `silence`: no response. `throttled`: the host asked for a pause, of `afterSeconds` if it named a time. */
export type RecheckReason = { reason: 'silence' } | { reason: 'throttled'; afterSeconds: number | null };

/** Stored part of an answer. */
export interface StoredOutcome<A extends object> {
  /** The answer with its queries. */
  outcome: A;
  tally: string[];
  /** Search results, if the input has `include: ['results']`. */
  results?: FoundResult[];
  /** Contents of an AI Overview, if the input has `include: ['ai_overview']`. */
  overview?: OverviewContents;
}

export function toStoredOutcome<A extends object>(
  { answer, tally, asked, results, overview }: Answered<A>,
  input: object,
): StoredOutcome<A> {
  const { include = [] } = input as { include?: string[] };
  return {
    outcome: asked ? { ...answer, asked } : answer,
    tally,
    ...(results && include.includes('results') ? { results } : {}),
    ...(overview ? { overview } : {}),
  };
}
