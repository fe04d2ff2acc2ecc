import { ProviderError, type SerpProvider } from '../serp.ts';
import { Breaker } from './breaker.ts';

/** A provider, and how it has been doing. */
export interface Upstream {
  provider: SerpProvider;
  breaker: Breaker;
  /** Milliseconds that a page of its crawls takes. A crawl has many pages, so the last one weighs half. */
  msPerPage: MovingAverage;
  /** Milliseconds that a call takes. A call with less time left would be paid for and come too late. */
  msPerCall: MovingAverage;
}

/** `restMs`: how long it is not asked once it keeps failing. */
export function createUpstream(provider: SerpProvider, restMs: number): Upstream {
  return {
    provider,
    breaker: new Breaker(restMs),
    msPerPage: new MovingAverage({ weightOfLast: 0.5 }),
    msPerCall: new MovingAverage({ weightOfLast: 0.2, first: 0 }),
  };
}

/** Returns whether an error counts against the provider in its breaker. */
export function speaksAgainstProvider(error: unknown): boolean {
  return error instanceof ProviderError && !error.isOfQueryOnly;
}

/** Records how long an account's call took that brought so many pages. */
export function recordDuration(
  { msPerCall, msPerPage }: Upstream,
  accountId: number,
  { tookMs, pages }: { tookMs: number; pages: number },
): void {
  msPerCall.add(accountId, tookMs);
  msPerPage.add(accountId, tookMs / Math.max(1, pages));
}

/** A call with this much time is made however slow the provider was, or it would never be found to be fast again. */
const expectedMsMax = 5_000;

/** How long a call of the account is expected to take. */
export function expectedMs({ msPerCall }: Upstream, accountId: number): number {
  return Math.min(msPerCall.of(accountId) ?? 0, expectedMsMax);
}

/** The accounts that asked last. */
const accountsMax = 100;

/** Moving averages by account. */
export class MovingAverage {
  readonly #weightOfLast: number;
  readonly #first: number | null;
  /** The first account is the one that has not asked for the longest time. */
  readonly #averages = new Map<number, number>();

  /** `first`: where an average begins. Default: at its first value. */
  constructor({ weightOfLast, first = null }: { weightOfLast: number; first?: number | null }) {
    this.#weightOfLast = weightOfLast;
    this.#first = first;
  }

  add(accountId: number, value: number): void {
    const average = this.#averages.get(accountId) ?? this.#first ?? value;
    this.#averages.delete(accountId);
    this.#averages.set(accountId, average + this.#weightOfLast * (value - average));
    const [oldest] = this.#averages.keys();
    if (this.#averages.size > accountsMax && oldest !== undefined) this.#averages.delete(oldest);
  }

  /** The account's average; before its first value the median of the others, which one slow account does not move. */
  of(accountId: number): number | null {
    const own = this.#averages.get(accountId);
    if (own !== undefined) return own;
    const values = [...this.#averages.values()].sort((a, b) => a - b);
    return values[Math.floor((values.length - 1) / 2)] ?? null;
  }
}
