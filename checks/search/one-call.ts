import type { Cost } from '../outcome.ts';
import type { Leave, ProviderGate } from './gate.ts';
import { readRange } from './reader.ts';
import { type PageRange, ProviderError, type SerpPage, type SerpProvider, type SerpQuery } from './serp.ts';
import { noteDuration, speaksAgainstProvider, type Upstream, usualMsOf } from './upstream/upstream.ts';

/** One provider's turn at a check. */
export interface Turn {
  accountId?: number | null;
  /** On `performance.now()`'s clock; null when nobody waits. */
  deadlineMs: number | null;
  /** No other provider is left to ask. */
  isLast: boolean;
  cost: Cost;
}

const overLimit = 'PROVIDER_DAILY_LIMIT, or a share of it, is reached';

/** Waits for a place in the check's own line. Errors: `ProviderError`; the signal's reason. */
export async function enter(
  gate: ProviderGate,
  upstream: Upstream,
  turn: Turn,
  signal: AbortSignal,
): Promise<Leave> {
  const { name } = upstream.provider;
  const { accountId = null, deadlineMs } = turn;
  const leave = await gate.enter(name, { accountId, isUrgent: deadlineMs !== null }, signal);
  if (leave === 'daily_limit') throw new ProviderError(name, 'quota', overLimit);
  const reason = reasonNotToAsk(upstream, turn, signal);
  if (reason === null) return leave;
  leave(0);
  throw reason;
}

/** Asks for a range in one call, and gives the place back. Errors: `ProviderError`; the signal's reason. */
export async function callOut(
  gate: ProviderGate,
  upstream: Upstream,
  query: SerpQuery,
  range: PageRange,
  turn: Turn,
  { leave, isLeft, cost }: { leave: Leave; isLeft: AbortSignal; cost: Cost },
): Promise<SerpPage[]> {
  const { accountId = null } = turn;
  const { provider } = upstream;
  try {
    const isCounted = await gate.count(provider.name, accountId, isLeft);
    if (!isCounted) throw new NeverSent(provider.name, 'quota', overLimit);
    const reason = reasonNotToAsk(upstream, turn, isLeft);
    if (reason) throw reason;
  } catch (error) {
    leave(0);
    throw error;
  }
  const paying = payFor(provider, range, [turn.cost, cost]);
  try {
    // Once asked it is paid for, so it is heard to its end; the adapter has a deadline of its own.
    const read = () => readRange(provider, query, range, new AbortController().signal);
    const startedMs = performance.now();
    const crawl = await upstream.breaker.through(accountId, read, speaksAgainstProvider);
    noteDuration(upstream, accountId, { tookMs: performance.now() - startedMs, pages: crawl.pagesPaid });
    paying.settle(crawl.pagesPaid);
    return crawl.pages;
  } catch (error) {
    paying.settleFailure(error);
    throw error;
  } finally {
    leave(paying.pages);
  }
}

/**
 * A call that did not go out: its check was over, or would be before the answer, may ask another provider, or has no
 * share left.
 */
export class NeverSent extends ProviderError {}

function reasonNotToAsk(upstream: Upstream, turn: Turn, signal: AbortSignal): NeverSent | null {
  const { name } = upstream.provider;
  if (signal.aborted || isTooLate(upstream, turn))
    return new NeverSent(name, 'timeout', 'no time was left to ask');
  if (isLeftAlone(upstream, turn)) return new NeverSent(name, 'upstream', 'keeps failing and is left alone');
  return null;
}

/** Whether an answer to a call made now would come too late. */
export function isTooLate(upstream: Upstream, { deadlineMs, accountId = null }: Turn): boolean {
  return deadlineMs !== null && deadlineMs - performance.now() < usualMsOf(upstream, accountId);
}

/** It rests for the account, and another provider can be asked. */
export function isLeftAlone({ breaker }: Upstream, { accountId = null, isLast }: Turn): boolean {
  return !isLast && breaker.isResting(accountId);
}

/** Cost of one call to its check: an estimate while the call runs, then the pages that were paid for. */
interface Paying {
  /** As far as it is known. */
  readonly pages: number;
  settle(pages: number): void;
  /** A page of the wrong kind is paid for like a right one; a page that never came is not. */
  settleFailure(error: unknown): void;
}

/**
 * Adds a call that goes out to the costs of the check it is made for, and of those that share it, so that one given up
 * meanwhile is counted too.
 */
function payFor(provider: SerpProvider, { to }: PageRange, costs: Cost[]): Paying {
  const estimate = 'crawl' in provider ? to : 1;
  let pages = 0;
  const settle = (actual: number) => {
    for (const cost of costs) cost.pages += actual - pages;
    pages = actual;
  };
  settle(estimate);
  return {
    get pages() {
      return pages;
    },
    settle,
    settleFailure: (error) => settle(isPageOfAnyKind(error) ? estimate : 0),
  };
}

function isPageOfAnyKind(error: unknown): boolean {
  return error instanceof ProviderError && (error.kind === 'rewritten' || error.kind === 'unreadable');
}
