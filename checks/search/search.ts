import type { Cost } from '../outcome.ts';
import { payFor } from './cost.ts';
import { createReader, type Reader, readRange } from './reader.ts';
import { SearchError } from './search-error.ts';
import {
  type PageRange,
  ProviderError,
  type SerpPage,
  type SerpProvider,
  type SerpQuery,
  unsupportedField,
} from './serp.ts';
import { createSharedPages, type SharedPages } from './shared-pages.ts';
import {
  createUpstream,
  noteDuration,
  notePace,
  speaksAgainstProvider,
  type Upstream,
} from './upstream/upstream.ts';

/** Gives a place back, and counts the pages that the call has cost. */
export type Leave = (pages: number) => void;

/** Lets calls out to a provider: so many at once over all processes, so many a day. */
export interface ProviderGate {
  /**
   * Waits for a place, in turn over accounts, and counts the call; the answered function gives the place back.
   * `isUrgent`: somebody is waiting for the answer. `daily_limit`: the day's calls are used up, or the account's share
   * of them. Errors: the signal's reason.
   */
  enter(
    provider: string,
    caller: { accountId: number | null; isUrgent: boolean },
    signal: AbortSignal,
  ): Promise<Leave | 'daily_limit'>;
  /** Counts a check that a provider's pages have answered. */
  answered(provider: string): void;
}

export interface SearchOptions {
  /** In fail-over order; never empty. */
  providers: SerpProvider[];
  gate: ProviderGate;
  /**
   * How long a genuine page may serve other checks, another account's as slowly as it came; 0 shares only searches in
   * flight.
   */
  reuseSeconds: number;
  /** How long a provider that keeps failing is left alone; 15 s unless told otherwise. */
  restMs?: number;
  /** How long somebody waits for one call while another provider can still be asked; 8 s unless told otherwise. */
  patienceMs?: number;
}

/** How one check searches. */
export interface Asking {
  /** Whose check it is: what fails for one account alone does not speak against a provider. */
  accountId?: number | null;
  /** Somebody is waiting; `deadlineMs` on `performance.now()`'s clock then bounds all of it, else it is null. */
  deadlineMs: number | null;
  signal: AbortSignal;
  /** Counts what is paid for while it is, so that it is known of a check that is broken off as well. */
  cost?: Cost;
  /** Pages that checks of one chunk share as long as it lasts, whatever may be reused otherwise. */
  shared?: SharedPages;
}

/** What came of a search, and what it cost, its failed attempts included. */
export interface Found<T> {
  answer: T;
  cost: Cost;
}

/** One provider's turn at a check. */
interface Turn extends Asking {
  /** No other provider is left to ask. */
  isLast: boolean;
  cost: Cost;
}

const patienceMsDefault = 8_000;
const restMsDefault = 15_000;

/**
 * The configured providers as one: the next when one fails, a breaker for each, and one call for identical searches.
 */
export class Search {
  readonly #upstreams: Upstream[];
  readonly #gate: ProviderGate;
  readonly #patienceMs: number;
  readonly #calls: SharedPages;

  constructor({
    providers,
    gate,
    reuseSeconds,
    restMs = restMsDefault,
    patienceMs = patienceMsDefault,
  }: SearchOptions) {
    this.#upstreams = providers.map((provider) => createUpstream(provider, restMs));
    this.#gate = gate;
    this.#patienceMs = patienceMs;
    this.#calls = createSharedPages(reuseSeconds * 1000);
  }

  /** The field of a search that no provider supports; null when one does. */
  unsupportedField(query: Omit<SerpQuery, 'isUnfiltered'>): string | null {
    const fields = this.#upstreams.map(({ provider }) => unsupportedField(provider.supports, query));
    return fields.includes(null) ? null : (fields[0] ?? null);
  }

  /**
   * Does something that needs pages with one provider after another until it comes through: all pages of an answer are
   * of one provider. One that rests after failing comes last. Errors: `SearchError`; the signal's reason.
   */
  async withFailover<T>(
    query: SerpQuery,
    asking: Asking,
    act: (reader: Reader) => Promise<T>,
  ): Promise<Found<T>> {
    const errors: ProviderError[] = [];
    const cost = asking.cost ?? { pages: 0 };
    const order = this.#orderFor(query, asking.accountId ?? null);
    for (const [index, upstream] of order.entries()) {
      const isLast = index === order.length - 1;
      // Pages asked for ahead that still stand in line when the answer, or the failure, is known do not go out.
      const over = new AbortController();
      const { deadlineMs } = asking;
      const timeMs = () => this.#timeMs(deadlineMs, isLast);
      const pace = { deadlineMs, timeMs, msPerPage: upstream.msPerPage };
      const reader = createReader(upstream.provider, pace, (asked, range, isDone) => {
        const signal = AbortSignal.any([asking.signal, over.signal, isDone]);
        return this.#pages(upstream, asked, range, { ...asking, signal, isLast, cost });
      });
      try {
        const answer = await act(reader);
        this.#gate.answered(reader.provider);
        return { answer, cost };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        errors.push(error);
      } finally {
        over.abort();
      }
    }
    throw new SearchError(errors, cost);
  }

  #orderFor(query: SerpQuery, accountId: number | null): Upstream[] {
    const capable = this.#upstreams.filter(
      ({ provider }) => unsupportedField(provider.supports, query) === null,
    );
    const isResting = ({ breaker }: Upstream) => breaker.isResting(accountId);
    return [...capable.filter((upstream) => !isResting(upstream)), ...capable.filter(isResting)];
  }

  /** What is left for one call: less while another provider can still be asked. Null when nobody waits. */
  #timeMs(deadlineMs: number | null, isLast: boolean): number | null {
    if (deadlineMs === null) return null;
    const remainingMs = Math.max(0, deadlineMs - performance.now());
    return isLast ? remainingMs : Math.min(remainingMs, this.#patienceMs);
  }

  async #pages(upstream: Upstream, query: SerpQuery, range: PageRange, turn: Turn): Promise<SerpPage[]> {
    const { name } = upstream.provider;
    const patience = patienceOf(turn.signal, this.#timeMs(turn.deadlineMs, turn.isLast));
    const key = JSON.stringify([name, query, range]);
    const ask = (isAbandoned: AbortSignal) =>
      this.#calls.get(
        key,
        isAbandoned,
        (isLeft, cost) => this.#call(upstream, query, range, turn, { isLeft, cost }),
        { id: turn.accountId ?? null, cost: turn.cost },
      );
    try {
      return await (turn.shared ? turn.shared.get(key, patience, ask) : ask(patience));
    } catch (error) {
      if (turn.signal.aborted) throw turn.signal.reason;
      if (patience.aborted) throw new ProviderError(name, 'timeout', 'no answer in the time there was');
      // Of another check, whose time was over, or for whom the provider rests; this one may ask.
      if (error instanceof NeverSent && !isTooLate(upstream, turn) && !isLeftAlone(upstream, turn))
        return this.#pages(upstream, query, range, turn);
      throw error;
    }
  }

  async #call(
    upstream: Upstream,
    query: SerpQuery,
    range: PageRange,
    turn: Turn,
    { isLeft, cost }: { isLeft: AbortSignal; cost: Cost },
  ): Promise<SerpPage[]> {
    const { accountId = null } = turn;
    const { provider } = upstream;
    const leave = await this.#gate.enter(
      provider.name,
      { accountId, isUrgent: turn.deadlineMs !== null },
      isLeft,
    );
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
}

/** A call that did not go out: its check was over, or would be before the answer, or may ask another provider. */
class NeverSent extends ProviderError {}

function isTooLate({ usualMs }: Upstream, { deadlineMs }: Turn): boolean {
  return deadlineMs !== null && deadlineMs - performance.now() < usualMs;
}

function isLeftAlone({ breaker }: Upstream, { accountId = null, isLast }: Turn): boolean {
  return !isLast && breaker.isResting(accountId);
}

/** Aborted when a check has waited long enough for one call. */
function patienceOf(signal: AbortSignal, timeMs: number | null): AbortSignal {
  return timeMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeMs))]);
}
