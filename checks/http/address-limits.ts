/**
 * Many sites share an address, behind a content network or at a host of small sites, so it gets more than a host does;
 * and it is limited all the same, for anybody can let a thousand names lead to one server.
 */
const hostsPerAddress = 4;
/** One account leaves room at an address that others' targets share. */
const accountShareMax = 0.75;

/** What one process may have in flight at each address, whatever names lead there. */
export class AddressLimits {
  readonly #limit: number;
  readonly #accountLimit: number;
  /** By address, what each account has in flight there. */
  readonly #uses = new Map<string, Map<number, number>>();

  constructor(hostLimit: number) {
    this.#limit = hostLimit * hostsPerAddress;
    this.#accountLimit = Math.floor(this.#limit * accountShareMax);
  }

  /** The first of these addresses to which one more of an account may go now; null when there is none. */
  firstOpen(addresses: readonly string[], accountId: number): string | null {
    return addresses.find((address) => this.#isOpen(address, accountId)) ?? null;
  }

  enter(address: string, accountId: number): void {
    const uses = this.#uses.get(address) ?? new Map<number, number>();
    this.#uses.set(address, uses.set(accountId, (uses.get(accountId) ?? 0) + 1));
  }

  leave(address: string, accountId: number): void {
    const uses = this.#uses.get(address);
    const left = (uses?.get(accountId) ?? 1) - 1;
    if (left > 0) uses?.set(accountId, left);
    else uses?.delete(accountId);
    if (uses?.size === 0) this.#uses.delete(address);
  }

  #isOpen(address: string, accountId: number): boolean {
    const uses = this.#uses.get(address);
    if (!uses) return true;
    const inFlight = [...uses.values()].reduce((sum, count) => sum + count, 0);
    return inFlight < this.#limit && (uses.get(accountId) ?? 0) < this.#accountLimit;
  }
}
