import type { Cost } from '../outcome.ts';
import type { ProviderGate } from './gate.ts';
import { callOut, enter, isLeftAlone, isTooLate, NeverSent, type Turn } from './one-call.ts';
import { orAborted } from './or-aborted.ts';
import { createReader, type Reader } from './reader.ts';
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
import { createUpstream, type Upstream } from './upstream/upstream.ts';

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

/** Result of a search, and its cost including failed attempts. */
export interface Searched<T> {
  answer: T;
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
  ): Promise<Searched<T>> {
    const errors: ProviderError[] = [];
    let hasReadPages = false;
    const cost = asking.cost ?? { pages: 0 };
    const order = this.#orderFor(query, asking.accountId ?? null);
    for (const [index, upstream] of order.entries()) {
      const isLast = index === order.length - 1;
      // Pages asked for ahead that still stand in line when the answer, or the failure, is known do not go out.
      const over = new AbortController();
      const { deadlineMs } = asking;
      const timeMs = () => this.#timeMs(deadlineMs, isLast);
      const pace = { deadlineMs, timeMs, msPerPage: upstream.msPerPage.of(asking.accountId ?? null) };
      const reader = createReader(upstream.provider, pace, async (asked, range, isDone) => {
        const signal = AbortSignal.any([asking.signal, over.signal, isDone]);
        const pages = await this.#pages(upstream, asked, range, { ...asking, signal, isLast, cost });
        hasReadPages = true;
        return pages;
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
    throw new SearchError(errors, cost, { hasReadPages });
  }

  #orderFor(query: SerpQuery, accountId: number | null): Upstream[] {
    const capable = this.#upstreams.filter(
      ({ provider }) => unsupportedField(provider.supports, query) === null,
    );
    const isResting = ({ breaker }: Upstream) => breaker.isResting(accountId);
    return [...capable.filter((upstream) => !isResting(upstream)), ...capable.filter(isResting)];
  }

  /** Milliseconds left for one call: fewer while another provider can still be asked. Null when nobody waits. */
  #timeMs(deadlineMs: number | null, isLast: boolean): number | null {
    if (deadlineMs === null) return null;
    const remainingMs = Math.max(0, deadlineMs - performance.now());
    return isLast ? remainingMs : Math.min(remainingMs, this.#patienceMs);
  }

  async #pages(
    upstream: Upstream,
    query: SerpQuery,
    range: PageRange,
    turn: Turn & Asking,
  ): Promise<SerpPage[]> {
    const { name } = upstream.provider;
    const patience = patienceOf(turn.signal, this.#timeMs(turn.deadlineMs, turn.isLast));
    const key = JSON.stringify([name, query, range]);
    const ask = (signal: AbortSignal) =>
      orAborted(this.#inTurn(key, upstream, query, range, { ...turn, signal }), signal);
    try {
      return await (turn.shared ? turn.shared.get(key, patience, ask) : ask(patience));
    } catch (error) {
      if (turn.signal.aborted) throw turn.signal.reason;
      if (patience.aborted) throw new ProviderError(name, 'timeout', 'no answer in the time there was');
      // Of another check of the chunk, that had another provider to ask; this one may ask.
      const mayAsk = !isTooLate(upstream, turn) && !isLeftAlone(upstream, turn);
      if (turn.shared && error instanceof NeverSent && error.kind !== 'quota' && mayAsk)
        return this.#pages(upstream, query, range, turn);
      throw error;
    }
  }

  /**
   * When the check's own turn has come: who is first makes the call, and who comes later shares it. Earlier, or
   * where it might not ask itself, a page of another account's would tell what that one asks.
   */
  async #inTurn(
    key: string,
    upstream: Upstream,
    query: SerpQuery,
    range: PageRange,
    turn: Turn & Asking,
  ): Promise<SerpPage[]> {
    const asker = { id: turn.accountId ?? null, cost: turn.cost };
    const own = this.#calls.again(key, turn.signal, asker);
    if (own) return own;
    const leave = await enter(this.#gate, upstream, turn, turn.signal);
    let isOurs = false;
    const call = (isLeft: AbortSignal, cost: Cost) => {
      isOurs = true;
      return callOut(this.#gate, upstream, query, range, turn, { leave, isLeft, cost });
    };
    const pages = this.#calls.get(key, turn.signal, call, asker);
    if (!isOurs) leave(0, pages);
    return pages.catch((error) => {
      // Of another check, whose time was over, for whom the provider rests, or who has no share left.
      if (!isOurs && error instanceof NeverSent) return this.#inTurn(key, upstream, query, range, turn);
      throw error;
    });
  }
}

/** Aborted when a check has waited long enough for one call. */
function patienceOf(signal: AbortSignal, timeMs: number | null): AbortSignal {
  return timeMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeMs))]);
}
