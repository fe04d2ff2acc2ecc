import { ProviderError, type SerpProvider } from '../serp.ts';
import { Breaker } from './breaker.ts';
import { createUsual, type Usual } from './usual.ts';

/** A provider, and how it has been doing. */
export interface Upstream {
  provider: SerpProvider;
  breaker: Breaker;
  /** What a page of its crawls takes. */
  msPerPage: Usual;
  /** What a call takes; what has less time left would be paid for and come too late. */
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

/** Not what was asked for the wrong way, or of a query that Google puts right. */
export function speaksAgainstProvider(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return !['rewritten', 'unsupported', 'bad_request'].includes(error.kind);
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
