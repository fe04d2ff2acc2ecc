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
}

/** `restMs`: how long it is left alone once it keeps failing. */
export function createUpstream(provider: SerpProvider, restMs: number): Upstream {
  const speaksAgainstProvider = (error: unknown) =>
    error instanceof ProviderError && !['rewritten', 'unsupported', 'bad_request'].includes(error.kind);
  const breaker = circuitBreaker(handleWhen(speaksAgainstProvider), {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: restMs,
  });
  const upstream: Upstream = { provider, breaker, restsUntilMs: 0 };
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
