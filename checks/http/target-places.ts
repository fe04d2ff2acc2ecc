import { AddressLimits } from './address-limits.ts';
import { HostLimits } from './host-limits.ts';

/** Where a check is: at a host and the addresses of its name, or nowhere. */
export interface Place {
  host: string | null;
  addresses: readonly string[];
}

export const nowhere: Place = { host: null, addresses: [] };

/** Who has a place. */
export interface Standing {
  accountId: number;
  /** The host at which the check began. */
  firstHost: string | null;
  place: Place;
}

/** The places at targets of one process: `hostLimit` at each host, some more at each address. */
export class TargetPlaces {
  readonly #hosts: HostLimits;
  readonly #addresses: AddressLimits;

  constructor(hostLimit: number) {
    this.#hosts = new HostLimits(hostLimit);
    this.#addresses = new AddressLimits(hostLimit);
  }

  /** Whether a check may begin at a place now. */
  mayBegin({ host }: Place): boolean {
    return host === null || this.#hosts.mayBegin(host);
  }

  /** Whether one that has begun may go on to a place now. */
  mayMove({ accountId, place }: Standing, { host, addresses }: Place): boolean {
    if (host === null) return true;
    const hasHost = place.host === host || this.#hosts.isWelcome(host);
    return hasHost && this.#addresses.areOpen(addresses, accountId);
  }

  enter(standing: Standing, place: Place): void {
    if (place.host !== null && standing.place.host !== place.host) this.#hosts.enter(place.host);
    this.#addresses.enter(place.addresses, standing.accountId);
    standing.place = place;
  }

  /** Gives up a place, but for that at the host it goes to. */
  leave(standing: Standing, nextHost: string | null): void {
    const { host, addresses } = standing.place;
    this.#addresses.leave(addresses, standing.accountId);
    if (host !== null && host !== nextHost) this.#hosts.leave(host);
    standing.place = host === nextHost ? { host, addresses: [] } : nowhere;
  }

  /** A check that has left one place waits for the next; the answered function says that it waits no more. */
  sendOn({ firstHost, place }: Standing): () => void {
    if (firstHost === null || place.host !== null) return () => {};
    this.#hosts.sendOn(firstHost);
    return () => this.#hosts.arrive(firstHost);
  }

  /** Leaves a host alone for as long as it asked, or longer each time; `isOver` is called afterwards. */
  pause(host: string, askedSeconds: number | null, isOver: () => void): void {
    this.#hosts.pause(host, askedSeconds, isOver);
  }
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.host === other.host && one.addresses.join() === other.addresses.join();
}
