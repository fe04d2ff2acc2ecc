import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { ProviderError, type SerpProvider } from '../serp.ts';

const failuresToOpen = 5;

/** A provider, and how it has been doing. */
export interface Upstream {
  provider: SerpProvider;
  breaker: CircuitBreakerPolicy;
  /** On `Date.now()`'s clock: when its circuit, if open, lets a call through to see whether it is well again. */
  restsUntilMs: number;
  /** The accounts that could not read its last answers: one alone may have asked for something odd. */
  unreadableFor: Set<number | null>;
  /** What a page of its crawls has taken, the latest weighing most; null before the first. */
  msPerPage: number | null;
  /** How long a call took of late; what has less time left would be paid for and come too late. */
  usualMs: number;
}

/** Of a new duration, so much goes into what is usual: one slow call is not. */
const weightOfLast = 0.2;
/**
 * However slow it has been, a call with as much time as this is made: else nobody would learn that it is well
 * again.
 */
const usualMsMax = 5_000;

/** Notes how long a call took that brought pages. */
export function noteDuration(upstream: Upstream, ms: number): void {
  const usual = upstream.usualMs + weightOfLast * (ms - upstream.usualMs);
  upstream.usualMs = Math.min(usual, usualMsMax);
}

/** `restMs`: how long it is left alone once it keeps failing. */
export function createUpstream(provider: SerpProvider, restMs: number): Upstream {
  const unreadableFor = new Set<number | null>();
  const speaksAgainstProvider = (error: unknown) => {
    if (!(error instanceof ProviderError)) return false;
    if (error.kind === 'unreadable') return unreadableFor.size > 1;
    return !['rewritten', 'unsupported', 'bad_request'].includes(error.kind);
  };
  const breaker = circuitBreaker(handleWhen(speaksAgainstProvider), {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: restMs,
  });
  const upstream: Upstream = {
    provider,
    breaker,
    restsUntilMs: 0,
    unreadableFor,
    msPerPage: null,
    usualMs: 0,
  };
  breaker.onBreak(() => {
    upstream.restsUntilMs = Date.now() + restMs;
  });
  return upstream;
}

/** Not to be asked while another can: it fails, or the one call that shows whether it still does is on its way. */
export function isResting({ breaker, restsUntilMs }: Upstream): boolean {
  if (breaker.state === CircuitState.Open) return Date.now() < restsUntilMs;
  return breaker.state === CircuitState.HalfOpen;
}

/** Does a call for an account, and notes what it says of the provider. Errors: those of the call. */
export async function through<T>(
  upstream: Upstream,
  accountId: number | null,
  call: () => Promise<T>,
): Promise<T> {
  const noted = async () => {
    try {
      const answer = await call();
      upstream.unreadableFor.clear();
      return answer;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'unreadable')
        upstream.unreadableFor.add(accountId);
      throw error;
    }
  };
  return isResting(upstream) ? noted() : upstream.breaker.execute(noted);
}

/** Notes how long a crawl of so many pages took. */
export function notePace(upstream: Upstream, tookMs: number, pages: number): void {
  const latest = tookMs / Math.max(1, pages);
  upstream.msPerPage = upstream.msPerPage === null ? latest : (upstream.msPerPage + latest) / 2;
}
