import type { AddressPolicy } from '../../net/address.ts';
import { FetchError, gaveUp } from '../../net/fetch-error.ts';
import type { NameResolver, ResolvedAddress } from '../../net/resolver.ts';
import { literalAddress } from '../../net/url.ts';
import type { HeldSlot, Patient } from './held-slot.ts';

/** Until when somebody waits: a signal, and a moment on `performance.now()`'s clock. */
export interface Until {
  signal: AbortSignal;
  deadlineMs: number;
}

/** Where a request may go now, and how long it had to wait for that. */
export interface Arrival {
  address: ResolvedAddress;
  waitedMs: number;
}

/** Each may cost a few seconds to find nobody there. */
const addressesMax = 8;

export interface ItineraryTools {
  resolver: NameResolver;
  policy: AddressPolicy;
  /** By host, the address at which a server was met last: connections are kept there. */
  met?: Map<string, string>;
}

/** Where a check is, hop for hop: each one takes its place at its host and an address, and gives back the former. */
export class Itinerary {
  readonly #slot: HeldSlot;
  readonly #tools: ItineraryTools;
  readonly #met: Map<string, string>;

  constructor(slot: HeldSlot, tools: ItineraryTools) {
    this.#slot = slot;
    this.#tools = tools;
    this.#met = tools.met ?? new Map();
  }

  /**
   * The addresses at which a URL's host may be asked, in the order in which to try them. Errors: FetchError
   * `dns_not_found`, `dns_failed`, `target_not_allowed`, `aborted`.
   */
  async addressesOf(url: URL, until: Until): Promise<ResolvedAddress[]> {
    if (until.signal.aborted) throw gaveUp();
    const resolved = await this.#resolve(url.hostname, until);
    // One of them that is not allowed refuses them all, those too that are then left out.
    const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
    if (!resolved.every(({ address }) => this.#tools.policy.allows(address, port)))
      throw new FetchError('target_not_allowed', `${url.host} leads to an address that is not allowed`);
    return inOrder(resolved, this.#met.get(url.host)).slice(0, addressesMax);
  }

  /**
   * Waits for a place at a URL's host and at one of these addresses, the first that has one. Errors: FetchError
   * `aborted`, and `no_place` when there was none in time.
   */
  async goTo(url: URL, addresses: readonly ResolvedAddress[], until: Until): Promise<Arrival> {
    if (until.signal.aborted) throw gaveUp();
    const patience = new Patience(until);
    try {
      const sinceMs = performance.now();
      const known = addresses.map(({ address }) => address);
      const place = await this.#slot.moveTo(url.host, known, patience);
      const address = addresses.find(({ address }) => address === place?.address);
      if (!address) throw until.signal.aborted ? gaveUp() : new FetchError('no_place', `${url.host} is full`);
      return { address, waitedMs: performance.now() - sinceMs };
    } finally {
      patience.end();
    }
  }

  /** A server was met at one of a host's addresses. */
  note(url: URL, { address }: ResolvedAddress): void {
    this.#met.set(url.host, address);
  }

  /** Gives the place back while something else is waited for. */
  async stepAside(): Promise<void> {
    await this.#slot.moveTo(null, [], nobody);
  }

  async #resolve(hostname: string, until: Until): Promise<ResolvedAddress[]> {
    const address = literalAddress(hostname);
    if (address !== null) return [{ address, family: address.includes(':') ? 6 : 4 }];
    const patience = new Patience(until);
    try {
      return await patience.wait(this.#tools.resolver.resolve(hostname));
    } finally {
      patience.end();
    }
  }
}

/** That at which somebody was met first, then one of each family in turn, as of one the whole way may be missing. */
function inOrder(addresses: readonly ResolvedAddress[], met: string | undefined): ResolvedAddress[] {
  const rank = new Map<ResolvedAddress, number>();
  const counts = { 4: 0, 6: 0 };
  for (const address of addresses) rank.set(address, address.address === met ? -1 : counts[address.family]++);
  return addresses.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}

/** Who moves to nowhere, for which nobody waits. */
const nobody: Patient = new AbortController();

/** Ends with a signal or a deadline; by hand, since AbortSignal.any costs more than a hop's other bookkeeping. */
class Patience implements Patient {
  readonly #until: Until;
  readonly #giveUp = () => this.#stop?.abort();
  #stop: AbortController | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(until: Until) {
    this.#until = until;
  }

  /** Made when it is first asked for: most find a place at once. */
  get signal(): AbortSignal {
    this.#stop ??= this.#begin(this.#until);
    return this.#stop.signal;
  }

  #begin({ signal, deadlineMs }: Until): AbortController {
    const stop = new AbortController();
    if (signal.aborted) stop.abort();
    else signal.addEventListener('abort', this.#giveUp, { once: true });
    this.#timer = setTimeout(this.#giveUp, Math.max(0, deadlineMs - performance.now()));
    return stop;
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
