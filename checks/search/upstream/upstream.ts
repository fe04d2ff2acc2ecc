import { ProviderError, type SerpProvider } from '../serp.ts';
import { Breaker } from './breaker.ts';

export interface Upstream {
  provider: SerpProvider;
  breaker: Breaker;
  /** Milliseconds per page of a crawl. A crawl has many pages, so the last crawl has a weight of one half. */
  msPerPage: MovingAverage;
  /** Milliseconds per call. A call with less time left would be paid for, but its answer would come too late. */
  msPerCall: MovingAverage;
}

/** `openMs`: time without calls after repeated failures. */
export function createUpstream(provider: SerpProvider, openMs: number): Upstream {
  return {
    provider,
    breaker: new Breaker(openMs),
    msPerPage: new MovingAverage({ weightOfLast: 0.5 }),
    msPerCall: new MovingAverage({ weightOfLast: 0.2, first: 0 }),
  };
}

/** Returns whether an error counts against the provider in its breaker. */
export function isProviderFault(error: unknown): boolean {
  return error instanceof ProviderError && !error.isOfQueryOnly;
}

export function recordDuration(
  { msPerCall, msPerPage }: Upstream,
  accountId: number,
  { tookMs, pages }: { tookMs: number; pages: number },
): void {
  msPerCall.add(accountId, tookMs);
  msPerPage.add(accountId, tookMs / Math.max(1, pages));
}

/** Maximum expected duration. With this much time left, a provider that was slow is called and measured again. */
const expectedMsMax = 5_000;

/** Returns the expected duration of a call of the account. */
export function expectedMs({ msPerCall }: Upstream, accountId: number): number {
  return Math.min(msPerCall.get(accountId) ?? 0, expectedMsMax);
}

const accountsMax = 100;

export class MovingAverage {
  readonly #weightOfLast: number;
  readonly #first: number | null;
  /** Ordered by the time of the last value, the oldest first. */
  readonly #averages = new Map<number, number>();

  /** `first`: start of an average. Default: its first value. */
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

  /** Returns the account's average; before its first value, the median of all accounts. */
  get(accountId: number): number | null {
    const own = this.#averages.get(accountId);
    if (own !== undefined) return own;
    const values = [...this.#averages.values()].sort((a, b) => a - b);
    return values[Math.floor((values.length - 1) / 2)] ?? null;
  }
}
