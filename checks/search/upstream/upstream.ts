import { ProviderError, type SerpProvider } from '../serp.ts';
import { Breaker } from './breaker.ts';

/** A provider, and how it has been doing. */
export interface Upstream {
  provider: SerpProvider;
  breaker: Breaker;
  /** Milliseconds that a page of its crawls takes. */
  msPerPage: Usual;
  /** Milliseconds that a call takes. A call with less time left would be paid for and come too late. */
  msPerCall: Usual;
}

/** One slow call is not usual; a crawl has many pages. */
const call = { weightOfLast: 0.2, fromMs: 0 };
const crawledPage = { weightOfLast: 0.5, fromMs: null };
/**
 * However slow it has been, a call with as much time as this is made: else nobody would learn that it is well
 * again.
 */
const usualMsMax = 5_000;

/** `restMs`: how long it is left alone once it keeps failing. */
export function createUpstream(provider: SerpProvider, restMs: number): Upstream {
  return {
    provider,
    breaker: new Breaker(restMs),
    msPerPage: createUsual(crawledPage),
    msPerCall: createUsual(call),
  };
}

/** Returns whether an error counts against the provider in its breaker. */
export function speaksAgainstProvider(error: unknown): boolean {
  return error instanceof ProviderError && !error.isOfQueryOnly;
}

/** Notes how long an account's call took that brought so many pages. */
export function noteDuration(
  { msPerCall, msPerPage }: Upstream,
  accountId: number | null,
  { tookMs, pages }: { tookMs: number; pages: number },
): void {
  msPerCall.note(accountId, tookMs);
  msPerPage.note(accountId, tookMs / Math.max(1, pages));
}

/** How long a call of the account's is expected to take. */
export function usualMsOf({ msPerCall }: Upstream, accountId: number | null): number {
  return Math.min(msPerCall.of(accountId) ?? 0, usualMsMax);
}

/** Moving average of durations in milliseconds, by account. */
interface Usual {
  note(accountId: number | null, ms: number): void;
  /** The account's own; before its first the median of the others', so that none of them moves it. Null before any. */
  of(accountId: number | null): number | null;
}

/** The accounts that were heard of last. */
const accountsMax = 100;

/** `weightOfLast`: the share of a new duration in the average. `fromMs`: its first value; null: the first duration. */
export function createUsual({
  weightOfLast,
  fromMs,
}: {
  weightOfLast: number;
  fromMs: number | null;
}): Usual {
  // A map keeps its order: the first account is the one that has not asked for the longest time.
  const usualMs = new Map<number | null, number>();
  return {
    note: (accountId, ms) => {
      const before = usualMs.get(accountId) ?? fromMs ?? ms;
      usualMs.delete(accountId);
      usualMs.set(accountId, before + weightOfLast * (ms - before));
      const [oldest] = usualMs.keys();
      if (usualMs.size > accountsMax && oldest !== undefined) usualMs.delete(oldest);
    },
    of: (accountId) => usualMs.get(accountId) ?? lowerMedian([...usualMs.values()]),
  };
}

/** Of two the lower: one other account that is slow says nothing of everybody. */
function lowerMedian(values: number[]): number | null {
  return values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}
