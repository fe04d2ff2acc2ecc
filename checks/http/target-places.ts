import { Places, type PlacesOptions } from '../../process/places.ts';
import { HostLimits } from './host-limits.ts';

/** Where a check is: at a host and one address of its name, or nowhere. */
export interface Place {
  host: string | null;
  address: string | null;
}

/** Where a check wants to go: to a host, at any of these addresses, those first that it would rather have. */
export interface Destination {
  host: string | null;
  addresses: readonly string[];
}

export const nowhere: Place = { host: null, address: null };

/** Who has a place. */
export interface Occupant {
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

  /** Whether a check may begin at a host now. */
  mayBegin({ host }: Destination): boolean {
    return host === null || this.#hosts.mayBegin(host);
  }

  /** Whether one that has begun may go on to a host now, and be at one of its addresses. */
  mayMove({ accountId, place }: Occupant, { host, addresses }: Destination): boolean {
    if (host === null) return true;
    const hasHost = place.host === host || this.#hosts.isWelcome(host);
    return hasHost && (addresses.length === 0 || this.#addresses.firstOpen(addresses, accountId) !== null);
  }

  /** Takes a place at the host and the first of its addresses that has one. */
  enter(occupant: Occupant, { host, addresses }: Destination): void {
    const { accountId } = occupant;
    const address = this.#addresses.firstOpen(addresses, accountId);
    if (host !== null && occupant.place.host !== host) this.#hosts.enter(host);
    if (address !== null) this.#addresses.enter(address, accountId);
    occupant.place = { host, address };
  }

  /** Gives up a place, but for that at the host it goes to. */
  leave(occupant: Occupant, nextHost: string | null): void {
    const { host, address } = occupant.place;
    if (address !== null) this.#addresses.leave(address, occupant.accountId);
    if (host !== null && host !== nextHost) this.#hosts.leave(host);
    occupant.place = host === nextHost ? { host, address: null } : nowhere;
  }

  /** A check that has left one place waits for the next; the answered function says that it waits no more. */
  sendOn({ firstHost, place }: Occupant): () => void {
    if (firstHost === null || place.host !== null) return () => {};
    this.#hosts.sendOn(firstHost);
    return () => this.#hosts.arrive(firstHost);
  }

  /** Leaves a host alone for as long as it asked, or longer each time; `isOver` is called afterwards. */
  pause(host: string, askedSeconds: number | null, isOver: () => void): void {
    this.#hosts.pause(host, askedSeconds, isOver);
  }
}

/** Whether a check that is at a place has come where it wants to go. */
export function isThere({ host, address }: Place, destination: Destination): boolean {
  if (host !== destination.host) return false;
  return address === null ? destination.addresses.length === 0 : destination.addresses.includes(address);
}

/**
 * Many sites share an address, behind a content network or at a host of small sites, so it gets more than a host does;
 * and it is limited all the same, for anybody can let a thousand names lead to one server.
 */
const hostsPerAddress = 4;
/** One account leaves room at an address that others' targets share. */
const accountShareMax = 0.75;
/** So many, and one at least, are given only to accounts that hold none there: two would fill it else. */
const newcomersShare = 1 / 8;

/** What one process may have in flight at each address, whatever names lead there. */
export class AddressLimits {
  readonly #options: PlacesOptions;
  readonly #byAddress = new Map<string, Places>();

  constructor(hostLimit: number) {
    const limit = hostLimit * hostsPerAddress;
    this.#options = {
      limit,
      perAccount: Math.floor(limit * accountShareMax),
      forNewcomers: Math.max(1, Math.floor(limit * newcomersShare)),
    };
  }

  /** The first of these addresses to which one more of an account may go now; null when there is none. */
  firstOpen(addresses: readonly string[], accountId: number): string | null {
    const isOpen = (address: string) => this.#byAddress.get(address)?.hasFor(accountId) ?? true;
    return addresses.find(isOpen) ?? null;
  }

  enter(address: string, accountId: number): void {
    const places = this.#byAddress.get(address) ?? new Places(this.#options);
    this.#byAddress.set(address, places);
    places.take(accountId);
  }

  leave(address: string, accountId: number): void {
    const places = this.#byAddress.get(address);
    places?.leave(accountId);
    if (places?.held === 0) this.#byAddress.delete(address);
  }
}
