import type { AddressPolicy } from '../../net/address.ts';
import { FetchError } from '../../net/fetch-error.ts';
import type { NameResolver, ResolvedAddress } from '../../net/resolver.ts';
import { literalAddress } from '../../net/url.ts';
import type { HeldSlot } from './slots.ts';

/** Until when somebody waits: a signal, and a moment on `performance.now()`'s clock. */
export interface Until {
  signal: AbortSignal;
  deadlineMs: number;
}

/** Where a request may go now, and how long it had to wait for that. */
export interface Arrival {
  addresses: readonly ResolvedAddress[];
  waitedMs: number;
}

/** More would let one name hold places at addresses that it never comes to. */
const addressesMax = 8;

export interface ItineraryTools {
  resolver: NameResolver;
  policy: AddressPolicy;
}

/** Where a check is, hop for hop: each one takes its place at its host and addresses, and gives back the former. */
export class Itinerary {
  readonly #slot: HeldSlot;
  readonly #tools: ItineraryTools;

  constructor(slot: HeldSlot, tools: ItineraryTools) {
    this.#slot = slot;
    this.#tools = tools;
  }

  /**
   * Waits for a place at a URL's host. Errors: FetchError `dns_not_found`, `dns_failed`, `target_not_allowed`,
   * `aborted`, and `no_place` when there was none in time.
   */
  async goTo(url: URL, until: Until): Promise<Arrival> {
    const patience = new Patience(until);
    try {
      const resolved = await patience.wait(this.#resolve(url.hostname));
      // One of them that is not allowed refuses them all, those too that are then left out.
      const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
      if (!resolved.every(({ address }) => this.#tools.policy.allows(address, port)))
        throw new FetchError('target_not_allowed', `${url.host} leads to an address that is not allowed`);
      const addresses = resolved.slice(0, addressesMax);
      const sinceMs = performance.now();
      const known = addresses.map(({ address }) => address);
      const hasPlace = await this.#slot.moveTo(url.host, known, patience.signal);
      if (!hasPlace)
        throw until.signal.aborted ? gaveUp() : new FetchError('no_place', `${url.host} is full`);
      return { addresses, waitedMs: performance.now() - sinceMs };
    } finally {
      patience.end();
    }
  }

  /** Gives the place back while something else is waited for. */
  async stepAside(): Promise<void> {
    await this.#slot.moveTo(null, [], new AbortController().signal);
  }

  #resolve(hostname: string): Promise<ResolvedAddress[]> {
    const address = literalAddress(hostname);
    if (address === null) return this.#tools.resolver.resolve(hostname);
    return Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
  }
}

/** Ends with a signal or a deadline; by hand, since AbortSignal.any costs more than a hop's other bookkeeping. */
class Patience {
  readonly #until: Until;
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #giveUp = () => this.#stop.abort();

  constructor(until: Until) {
    this.#until = until;
    if (until.signal.aborted) this.#giveUp();
    else until.signal.addEventListener('abort', this.#giveUp, { once: true });
    this.#timer = setTimeout(this.#giveUp, Math.max(0, until.deadlineMs - performance.now()));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  wait<T>(resolving: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () =>
        reject(
          this.#until.signal.aborted
            ? gaveUp()
            : new FetchError('dns_failed', 'no resolver answered in time'),
        );
      if (this.signal.aborted) late();
      else this.signal.addEventListener('abort', late, { once: true });
      resolving.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#until.signal.removeEventListener('abort', this.#giveUp);
  }
}

function gaveUp(): FetchError {
  return new FetchError('aborted', 'the caller gave up');
}
