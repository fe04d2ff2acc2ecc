import type { Cost } from '../outcome.ts';
import { payFor } from './cost.ts';
import type { ProviderGate } from './gate.ts';
import { readRange } from './reader.ts';
import { type PageRange, ProviderError, type SerpPage, type SerpQuery } from './serp.ts';
import { noteDuration, notePace, speaksAgainstProvider, type Upstream } from './upstream/upstream.ts';

/** One provider's turn at a check. */
export interface Turn {
  accountId?: number | null;
  /** On `performance.now()`'s clock; null when nobody waits. */
  deadlineMs: number | null;
  /** No other provider is left to ask. */
  isLast: boolean;
  cost: Cost;
}

/** Waits for a place, and asks for a range in one call. Errors: `ProviderError`; the signal's reason. */
export async function callOut(
  gate: ProviderGate,
  upstream: Upstream,
  query: SerpQuery,
  range: PageRange,
  turn: Turn,
  { isLeft, cost }: { isLeft: AbortSignal; cost: Cost },
): Promise<SerpPage[]> {
  const { accountId = null } = turn;
  const { provider } = upstream;
  const leave = await gate.enter(provider.name, { accountId, isUrgent: turn.deadlineMs !== null }, isLeft);
  if (leave === 'daily_limit')
    throw new ProviderError(provider.name, 'quota', 'PROVIDER_DAILY_LIMIT, or a share of it, is reached');
  if (isLeft.aborted || isTooLate(upstream, turn)) {
    leave(0);
    throw new NeverSent(provider.name, 'timeout', 'no time was left to ask');
  }
  if (isLeftAlone(upstream, turn)) {
    leave(0);
    throw new NeverSent(provider.name, 'upstream', 'keeps failing and is left alone');
  }
  const paying = payFor(provider, range, [turn.cost, cost]);
  try {
    // Once asked it is paid for, so it is heard to its end; the adapter has a deadline of its own.
    const read = () => readRange(provider, query, range, new AbortController().signal);
    const startedMs = performance.now();
    const crawl = await upstream.breaker.through(accountId, read, speaksAgainstProvider);
    notePace(upstream, performance.now() - startedMs, crawl.pagesPaid);
    noteDuration(upstream, performance.now() - startedMs);
    paying.settle(crawl.pagesPaid);
    return crawl.pages;
  } catch (error) {
    paying.settleFailure(error);
    throw error;
  } finally {
    leave(paying.pages);
  }
}

/** A call that did not go out: its check was over, or would be before the answer, or may ask another provider. */
export class NeverSent extends ProviderError {}

/** What is asked now would come too late. */
export function isTooLate({ usualMs }: Upstream, { deadlineMs }: Turn): boolean {
  return deadlineMs !== null && deadlineMs - performance.now() < usualMs;
}

/** It rests for the account, and another provider can be asked. */
export function isLeftAlone({ breaker }: Upstream, { accountId = null, isLast }: Turn): boolean {
  return !isLast && breaker.isResting(accountId);
}
