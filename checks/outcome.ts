import type { ItemError } from '../schemas/failures.ts';
import type { OverviewContents } from '../schemas/features.ts';
import type { FoundResult } from '../schemas/keyword.ts';

/** Outcome of one check. An answer is charged, even if it is bad news. A failure is refunded. */
export type Outcome<A extends object = object> = Answered<A> | Failed;

interface Answered<A extends object = object> {
  state: 'success';
  answer: A;
  /** Counters of a batch's summary that the answer increments. */
  tally: string[];
  /** Reason to check again; null if no second check is needed. */
  recheck: RecheckReason | null;
  /** Absent when no provider was paid. */
  cost?: Cost;
  /** Queries that were sent to a provider. Absent for checks that do not search. */
  asked?: ExecutedQuery[];
  /** Search results in order; only for rank checks. */
  results?: FoundResult[];
  /** Contents of an AI Overview; only for rank checks that ask for it. */
  overview?: OverviewContents;
}

/** `results` is the number of different results on the pages of the query. */
export interface ExecutedQuery {
  query: string;
  provider: string;
  results: number;
}

export interface Failed {
  state: 'failed';
  error: ItemError;
  /** True for a fault on our side that may end soon. False if a retry is pointless. */
  isRetryable: boolean;
  /** Pause that the target or provider requested. Null or absent if none was requested. */
  retryAfterSeconds?: number | null;
  /**
   * True if no search provider returned a page, because each was down, silent or rate-limiting us. A batch then waits
   * until the outage ends.
   */
  isOutage?: true;
  /** True if the host had no free slot. In this case, no request was made. */
  hadNoSlot?: true;
  /** Error for the log; never shown to users. */
  cause?: unknown;
  cost?: Cost;
}

/** Cost of a check. Providers charge for each page of results. */
export interface Cost {
  pages: number;
}

/** `silence`: no response. `throttled`: the host asked for a pause. `afterSeconds` is null if it named no time. */
export type RecheckReason = { reason: 'silence' } | { reason: 'throttled'; afterSeconds: number | null };

/** Returns what is stored of an answer. Results are stored if the input has `include: ['results']`. */
export function toStoredOutcome<A extends object>(
  { answer, tally, asked, results, overview }: Answered<A>,
  input: object,
) {
  const { include = [] } = input as { include?: string[] };
  return {
    outcome: asked ? { ...answer, asked } : answer,
    tally,
    ...(results && include.includes('results') ? { results } : {}),
    ...(overview ? { overview } : {}),
  };
}
