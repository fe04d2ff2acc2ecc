import type { AddressPolicy } from '../../net/address.ts';
import { FetchError, gaveUp } from '../../net/fetch-error.ts';
import type { NameResolver, ResolvedAddress } from '../../net/resolver.ts';
import { literalAddress } from '../../net/url.ts';
import type { CheckSlot } from './slots.ts';

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
  readonly #slot: CheckSlot;
  readonly #tools: ItineraryTools;
  readonly #met: Map<string, string>;

  constructor(slot: CheckSlot, tools: ItineraryTools) {
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
   * Waits for slots at a URL's host and at the first of these addresses that has one. Errors: FetchError `aborted`, and
   * `no_place` when there was none before the deadline.
   */
  async goTo(url: URL, addresses: readonly ResolvedAddress[], until: Until): Promise<Arrival> {
    const sinceMs = performance.now();
    const names = addresses.map(({ address }) => address);
    const name = await withDeadline(until, (signal) => this.#slot.goTo(url.host, names, signal)).catch(() => {
      throw until.signal.aborted ? gaveUp() : new FetchError('no_place', `${url.host} is full`);
    });
    const [address] = addresses.filter(({ address }) => address === name);
    return { address: address as ResolvedAddress, waitedMs: performance.now() - sinceMs };
  }

  /** A server was met at one of a host's addresses. */
  note(url: URL, { address }: ResolvedAddress): void {
    this.#met.set(url.host, address);
  }

  /** Releases the slots at host and address while the check waits for something else. */
  leaveTarget(): void {
    this.#slot.leaveTarget();
  }

  async #resolve(hostname: string, until: Until): Promise<ResolvedAddress[]> {
    const address = literalAddress(hostname);
    if (address !== null) return [{ address, family: address.includes(':') ? 6 : 4 }];
    return withDeadline(until, (signal) => {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const fail = () =>
        reject(
          until.signal.aborted ? gaveUp() : new FetchError('dns_failed', 'no resolver answered in time'),
        );
      signal.addEventListener('abort', fail, { once: true });
      return Promise.race([this.#tools.resolver.resolve(hostname), late]);
    });
  }
}

/** That at which somebody was met first, then one of each family in turn, as of one the whole way may be missing. */
function inOrder(addresses: readonly ResolvedAddress[], met: string | undefined): ResolvedAddress[] {
  const rank = new Map<ResolvedAddress, number>();
  const counts = { 4: 0, 6: 0 };
  for (const address of addresses) rank.set(address, address.address === met ? -1 : counts[address.family]++);
  return addresses.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}

/** Passes a signal that is aborted at the deadline, too. By hand, since `AbortSignal.any` takes longer. */
async function withDeadline<T>(
  { signal, deadlineMs }: Until,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const abort = () => end.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(abort, Math.max(0, deadlineMs - performance.now()));
  try {
    return await act(end.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
