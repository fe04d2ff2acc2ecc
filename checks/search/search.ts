import { SearchError } from './search-error.ts';
import { ProviderError, type Serp, type SerpProvider, type SerpRequest, unsupportedField } from './serp.ts';
import { SharedCalls } from './shared-calls.ts';
import { createUpstream, isResting, type Upstream } from './upstream/breaker.ts';

/** Lets calls out to a provider: so many at once over all processes, so many a day. */
export interface ProviderGate {
  /**
   * Waits for a place and counts the call; the answered function gives the place back. `isUrgent`: somebody is waiting
   * for the answer. `daily_limit`: the day's calls are used up. Errors: the signal's reason.
   */
  enter(provider: string, isUrgent: boolean, signal: AbortSignal): Promise<(() => void) | 'daily_limit'>;
}

export interface SearchOptions {
  /** In fail-over order; never empty. */
  providers: SerpProvider[];
  gate: ProviderGate;
  /** How long a genuine page may serve other checks; 0 shares only searches in flight. */
  reuseSeconds: number;
  /** How long a provider that keeps failing is left alone; 15 s unless told otherwise. */
  restMs?: number;
}

/** How one check searches. */
export interface Asking {
  /** Somebody is waiting; `deadlineMs` on `performance.now()`'s clock then bounds all of it, else it is null. */
  deadlineMs: number | null;
  signal: AbortSignal;
  /** Pages that checks of one chunk share as long as it lasts, whatever may be reused otherwise. */
  shared?: SharedCalls<Serp>;
}

/** Asks one provider for one page. */
export type AskForPage = (request: SerpRequest) => Promise<Serp>;

const callWithOthersLeftMs = 8_000;
const restMsDefault = 15_000;

/**
 * The configured providers as one: the next when one fails, a breaker for each, and one call for identical searches
 * (DESIGN.md section 7).
 */
export class Search {
  readonly #upstreams: Upstream[];
  readonly #gate: ProviderGate;
  readonly #calls: SharedCalls<Serp>;

  constructor({ providers, gate, reuseSeconds, restMs = restMsDefault }: SearchOptions) {
    this.#upstreams = providers.map((provider) => createUpstream(provider, restMs));
    this.#gate = gate;
    this.#calls = new SharedCalls(reuseSeconds * 1000);
  }

  /** The field of a search that no provider supports; null when one does. */
  unsupportedField(request: Omit<SerpRequest, 'page' | 'isUnfiltered'>): string | null {
    const fields = this.#upstreams.map(({ provider }) => unsupportedField(provider.supports, request));
    return fields.includes(null) ? null : (fields[0] ?? null);
  }

  /**
   * Does something that needs pages with one provider after another until it comes through: all pages of an answer are
   * of one provider. One that rests after failing comes last. Errors: `SearchError`; the signal's reason.
   */
  async withFailover<T>(
    request: SerpRequest,
    asking: Asking,
    act: (ask: AskForPage, provider: string) => Promise<T>,
  ): Promise<T> {
    const errors: ProviderError[] = [];
    const order = this.#orderFor(request);
    for (const [index, upstream] of order.entries()) {
      const isLast = index === order.length - 1;
      try {
        return await act((page) => this.#page(upstream, page, asking, isLast), upstream.provider.name);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        errors.push(error);
      }
    }
    throw new SearchError(errors);
  }

  #orderFor(request: SerpRequest): Upstream[] {
    const capable = this.#upstreams.filter(
      ({ provider }) => unsupportedField(provider.supports, request) === null,
    );
    return [...capable.filter((upstream) => !isResting(upstream)), ...capable.filter(isResting)];
  }

  async #page(upstream: Upstream, request: SerpRequest, asking: Asking, isLast: boolean): Promise<Serp> {
    const { name } = upstream.provider;
    const isUrgent = asking.deadlineMs !== null;
    const patience = patienceOf(asking, isLast);
    const key = JSON.stringify([name, request]);
    const ask = (isAbandoned: AbortSignal) =>
      this.#calls.get(key, isAbandoned, (isLeft) =>
        this.#call(upstream, request, { isUrgent, isLast }, isLeft),
      );
    try {
      return await (asking.shared ? asking.shared.get(key, patience, ask) : ask(patience));
    } catch (error) {
      if (asking.signal.aborted) throw asking.signal.reason;
      if (patience.aborted) throw new ProviderError(name, 'timeout', 'no answer in the time there was');
      throw error;
    }
  }

  async #call(
    upstream: Upstream,
    request: SerpRequest,
    { isUrgent, isLast }: { isUrgent: boolean; isLast: boolean },
    isAbandoned: AbortSignal,
  ): Promise<Serp> {
    const { provider, breaker } = upstream;
    const leave = await this.#gate.enter(provider.name, isUrgent, isAbandoned);
    if (leave === 'daily_limit')
      throw new ProviderError(provider.name, 'quota', 'PROVIDER_DAILY_LIMIT is reached');
    // Once asked it is paid for, so it is heard to its end; the adapter has a deadline of its own.
    const search = () => provider.search(request, new AbortController().signal);
    try {
      if (!isResting(upstream)) return await breaker.execute(search);
      if (isLast) return await search();
      throw new ProviderError(provider.name, 'upstream', 'keeps failing and is left alone');
    } finally {
      leave();
    }
  }
}

/** Aborted when a check has waited long enough for one page: earlier while another provider can still be asked. */
function patienceOf({ deadlineMs, signal }: Asking, isLast: boolean): AbortSignal {
  if (deadlineMs === null) return signal;
  const remainingMs = Math.max(0, deadlineMs - performance.now());
  const patienceMs = isLast ? remainingMs : Math.min(remainingMs, callWithOthersLeftMs);
  return AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(patienceMs))]);
}
