import { Places, type PlacesOptions } from '../../process/places.ts';

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
