import type { Cost } from '../outcome.ts';
import { createReader, requestRange, type SerpReader } from './reader.ts';
import { SearchError } from './search-error.ts';
import {
  type PageRange,
  ProviderError,
  type SerpOverview,
  type SerpPage,
  type SerpProvider,
  type SerpQuery,
  unsupportedField,
} from './serp.ts';
import { resultOrAbort, SharedPages } from './shared-pages.ts';
import {
  createUpstream,
  expectedMs,
  isProviderFault,
  recordDuration,
  type Upstream,
} from './upstream/upstream.ts';

/** Limits the calls of all processes to providers: the calls in flight, and the calls per day. */
export interface ProviderGate {
  /** Waits until a call may be sent. `isUrgent`: a user waits for the answer. Throws the signal's reason. */
  acquire(
    provider: string,
    caller: { accountId: number; isUrgent: boolean },
    signal: AbortSignal,
  ): Promise<{ release(): void }>;
  /** Counts a call that is sent now. Returns false when the daily limit is reached. Throws the signal's reason. */
  countCall(provider: string, signal: AbortSignal): Promise<boolean>;
  countPages(provider: string, pages: number): void;
  countAnswer(provider: string): void;
}

interface SearchOptions {
  /** In failover order; never empty. */
  providers: SerpProvider[];
  gate: ProviderGate;
  /** Time for which other checks of the account can reuse a page. If 0, they share only searches in flight. */
  reuseSeconds: number;
  /** Time without calls to a provider that keeps failing. Default: 15 s. */
  openMs?: number;
  /** Time limit of one call of a single check. The last provider gets all remaining time. Default: 8 s. */
  callMs?: number;
}

export interface SearchContext {
  accountId: number;
  /** Deadline of a single check, on `performance.now()`'s clock; null in a batch. */
  deadlineMs: number | null;
  signal: AbortSignal;
  /** Updated while the check runs, so that the cost of an aborted check is also known. */
  cost?: Cost;
  /** Start of the chunk. The checks of a chunk share their pages until the chunk ends, regardless of `reuseSeconds`. */
  sinceMs?: number;
}

interface Attempt extends SearchContext {
  upstream: Upstream;
  /** End of the call's time, on `performance.now()`'s clock; null in a batch. */
  callEndsMs: number | null;
  isLast: boolean;
  cost: Cost;
}

/** Maximum wait for an overview, which is not worth a longer wait. */
const overviewMsMax = 8_000;
/** Time that remains for the answer after the wait for an overview. */
const overviewReserveMs = 500;

const callMsDefault = 8_000;
const restMsDefault = 15_000;

/** Searches with the configured providers. Tries the next provider after a failure. Makes equal searches only once. */
export class Search {
  readonly #upstreams: Upstream[];
  readonly #gate: ProviderGate;
  readonly #callMs: number;
  readonly #sharedPages: SharedPages;

  constructor({
    providers,
    gate,
    reuseSeconds,
    openMs = restMsDefault,
    callMs = callMsDefault,
  }: SearchOptions) {
    this.#upstreams = providers.map((provider) => createUpstream(provider, openMs));
    this.#gate = gate;
    this.#callMs = callMs;
    this.#sharedPages = new SharedPages(reuseSeconds * 1000);
  }

  /** Returns the field of a search that no provider supports; null if a provider supports the search. */
  unsupportedField(query: Omit<SerpQuery, 'isUnfiltered'>): string | null {
    const fields = this.#upstreams.map(({ provider }) => unsupportedField(provider.supports, query));
    return fields.includes(null) ? null : (fields[0] ?? null);
  }

  /**
   * Calls `callback` with one provider after another until it succeeds, so that all pages of an answer come from one
   * provider. Providers with an open circuit breaker come last. `cost` includes failed attempts. Throws `SearchError`,
   * or the signal's reason.
   */
  async withFailover<T>(
    query: SerpQuery,
    context: SearchContext,
    callback: (reader: SerpReader) => Promise<T>,
  ): Promise<{ answer: T; cost: Cost }> {
    const errors: ProviderError[] = [];
    let hasReadPages = false;
    const { accountId, deadlineMs, cost = { pages: 0 } } = context;
    const order = this.#orderFor(query, accountId);
    for (const [index, upstream] of order.entries()) {
      const isLast = index === order.length - 1;
      // Withdraws requests for further pages once the outcome is known.
      const done = new AbortController();
      const timeMs = () => this.#callTimeMs(deadlineMs, isLast);
      const pace = { deadlineMs, timeMs, msPerPage: upstream.msPerPage.get(accountId) };
      const reader = createReader(upstream.provider, pace, async (asked, range) => {
        const signal = AbortSignal.any([context.signal, done.signal]);
        const callMs = timeMs();
        const callEndsMs = callMs === null ? null : performance.now() + callMs;
        const attempt = { ...context, upstream, signal, isLast, cost, callEndsMs };
        const pages = await this.#pages(asked, range, attempt);
        hasReadPages = true;
        return pages;
      });
      try {
        const answer = await callback(reader);
        this.#gate.countAnswer(reader.provider);
        return { answer, cost };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        errors.push(error);
      } finally {
        done.abort();
      }
    }
    throw new SearchError(errors, cost, { hasReadPages });
  }

  #orderFor(query: SerpQuery, accountId: number): Upstream[] {
    const capable = this.#upstreams.filter(
      ({ provider }) => unsupportedField(provider.supports, query) === null,
    );
    // The sort is stable, so providers with the same support stay in failover order.
    if (query.wants?.includes('ai_overview'))
      capable.sort(
        (one, other) =>
          Number(other.provider.supports.aiOverviews) - Number(one.provider.supports.aiOverviews),
      );
    const isResting = ({ breaker }: Upstream) => breaker.isOpen(accountId);
    return [...capable.filter((upstream) => !isResting(upstream)), ...capable.filter(isResting)];
  }

  /** Milliseconds that one call may take: fewer if another provider can still be tried. Null in a batch. */
  #callTimeMs(deadlineMs: number | null, isLast: boolean): number | null {
    if (deadlineMs === null) return null;
    const remainingMs = Math.max(0, deadlineMs - performance.now());
    return isLast ? remainingMs : Math.min(remainingMs, this.#callMs);
  }

  /** Returns the pages of a range within the time of one call. Throws `ProviderError`, or the signal's reason. */
  async #pages(query: SerpQuery, range: PageRange, attempt: Attempt): Promise<SerpPage[]> {
    const { callEndsMs, upstream } = attempt;
    const timeMs = callEndsMs === null ? null : Math.max(0, Math.ceil(callEndsMs - performance.now()));
    const timeout = timeMs === null ? null : AbortSignal.timeout(timeMs);
    const signal = timeout === null ? attempt.signal : AbortSignal.any([attempt.signal, timeout]);
    try {
      // If the gate grants a slot after the deadline, the slot is released.
      return await resultOrAbort(this.#sharedOrNew(query, range, { ...attempt, signal }), signal);
    } catch (error) {
      if (attempt.signal.aborted) throw attempt.signal.reason;
      if (!signal.aborted) throw error;
      throw new ProviderError(upstream.provider.name, 'timeout', 'no answer in time');
    }
  }

  async #sharedOrNew(query: SerpQuery, range: PageRange, attempt: Attempt): Promise<SerpPage[]> {
    const { accountId, deadlineMs, signal, upstream } = attempt;
    const { name } = upstream.provider;
    const key = JSON.stringify([accountId, name, query, range]);
    const found = this.#sharedPages.find(key, attempt);
    if (found) return found;
    const slot = await this.#gate.acquire(name, { accountId, isUrgent: deadlineMs !== null }, signal);
    // An equal search may have begun while this search waited for the slot.
    const foundLater = this.#sharedPages.find(key, attempt);
    const reason = foundLater ? null : reasonNotToCall(attempt);
    if (foundLater || reason) slot.release();
    if (reason) throw reason;
    if (foundLater) return foundLater;
    const call = (unwanted: AbortSignal, markSent: () => void) =>
      this.#call(query, range, attempt, { unwanted, markSent }).finally(() => slot.release());
    return this.#sharedPages.call(key, call, attempt);
  }

  /** Calls a provider. Throws `ProviderError`, or the reason of `unwanted`. */
  #call(
    query: SerpQuery,
    range: PageRange,
    attempt: Attempt,
    { unwanted, markSent }: { unwanted: AbortSignal; markSent: () => void },
  ): Promise<SerpPage[]> {
    const { accountId, upstream, cost } = attempt;
    const { provider, breaker } = upstream;
    const call = async () => {
      const isCounted = await this.#gate.countCall(provider.name, unwanted);
      if (!isCounted) throw new ProviderError(provider.name, 'quota', 'PROVIDER_DAILY_LIMIT is reached');
      unwanted.throwIfAborted();
      markSent();
      // Counts an estimate from the start, because the check may be aborted before the answer.
      const estimate = 'crawl' in provider ? range.to : 1;
      let pagesPaid = estimate;
      cost.pages += estimate;
      try {
        const startedMs = performance.now();
        const crawl = await requestRange(provider, query, range);
        pagesPaid = crawl.pagesPaid;
        recordDuration(upstream, accountId, { tookMs: performance.now() - startedMs, pages: pagesPaid });
        const [first, ...others] = crawl.pages;
        if (!first?.aiOverview?.token) return crawl.pages;
        return [{ ...first, aiOverview: await this.#readOverview(first.aiOverview, attempt) }, ...others];
      } catch (error) {
        if (!isPaidFailure(error)) pagesPaid = 0;
        throw error;
      } finally {
        cost.pages += pagesPaid - estimate;
        this.#gate.countPages(provider.name, pagesPaid);
      }
    };
    return breaker.run(accountId, call, isProviderFault);
  }

  /**
   * Reads an overview that has only a token, in a second call. If the call fails or takes too long, returns an unread
   * overview, because the results are already known. The call is counted and paid for like a page.
   */
  async #readOverview(
    { token = '', ...unread }: SerpOverview,
    { callEndsMs, cost, upstream }: Attempt,
  ): Promise<SerpOverview> {
    const { provider } = upstream;
    const timeMs = callEndsMs === null ? overviewMsMax : callEndsMs - performance.now() - overviewReserveMs;
    if (!('search' in provider) || !provider.readOverview || timeMs <= 0) return unread;
    const signal = AbortSignal.timeout(Math.ceil(Math.min(timeMs, overviewMsMax)));
    try {
      if (!(await this.#gate.countCall(provider.name, signal))) return unread;
      cost.pages += 1;
      this.#gate.countPages(provider.name, 1);
      const { token: _again, ...overview } = await resultOrAbort(provider.readOverview(token), signal);
      return overview;
    } catch {
      return unread;
    }
  }
}

function reasonNotToCall({ accountId, deadlineMs, isLast, signal, upstream }: Attempt): ProviderError | null {
  const { provider, breaker } = upstream;
  const remainingMs = deadlineMs === null ? Number.POSITIVE_INFINITY : deadlineMs - performance.now();
  if (signal.aborted || remainingMs < expectedMs(upstream, accountId))
    return new ProviderError(provider.name, 'timeout', 'not enough time left for a call');
  if (!isLast && breaker.isOpen(accountId))
    return new ProviderError(provider.name, 'upstream', 'paused after repeated failures');
  return null;
}

/** Returns whether a failed call is paid for, because it returned a page. */
function isPaidFailure(error: unknown): boolean {
  return error instanceof ProviderError && (error.kind === 'rewritten' || error.kind === 'unreadable');
}
