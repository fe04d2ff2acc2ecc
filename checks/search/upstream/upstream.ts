import { ProviderError, type SerpProvider } from '../serp.ts';
import { Breaker } from './breaker.ts';

/** A provider, and how it has been doing. */
export interface Upstream {
  provider: SerpProvider;
  breaker: Breaker;
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

/** `restMs`: how long it is left alone once it keeps failing. */
export function createUpstream(provider: SerpProvider, restMs: number): Upstream {
  return { provider, breaker: new Breaker(restMs), msPerPage: null, usualMs: 0 };
}

/** Not what was asked for the wrong way, or of a query that Google puts right. */
export function speaksAgainstProvider(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return !['rewritten', 'unsupported', 'bad_request'].includes(error.kind);
}

/** Notes how long a call took that brought pages. */
export function noteDuration(upstream: Upstream, ms: number): void {
  const usual = upstream.usualMs + weightOfLast * (ms - upstream.usualMs);
  upstream.usualMs = Math.min(usual, usualMsMax);
}

/** Notes how long a crawl of so many pages took. */
export function notePace(upstream: Upstream, tookMs: number, pages: number): void {
  const latest = tookMs / Math.max(1, pages);
  upstream.msPerPage = upstream.msPerPage === null ? latest : (upstream.msPerPage + latest) / 2;
}
