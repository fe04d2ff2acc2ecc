export interface PlacesOptions {
  /** How many may be held in all. */
  limit: number;
  /** How many of them one account may hold. */
  perAccount: number;
  /** How many are given only to accounts that hold none. */
  forNewcomers: number;
}

/**
 * Places that accounts hold. Whoever holds none finds one at once while no more than `forNewcomers` accounts hold some:
 * however much those ask for, what lies beyond their first place never reaches into what is left for others.
 */
export class Places {
  readonly #options: PlacesOptions;
  readonly #byAccount = new Map<number, number>();
  #held = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether an account may have one more now. */
  hasFor(accountId: number): boolean {
    const { limit, perAccount, forNewcomers } = this.#options;
    const mine = this.#byAccount.get(accountId) ?? 0;
    if (this.#held >= limit || mine >= perAccount) return false;
    return mine === 0 || this.#held < limit - forNewcomers;
  }

  /** Takes one, whether or not there was one. */
  take(accountId: number): void {
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
    this.#held += 1;
  }

  leave(accountId: number): void {
    const left = (this.#byAccount.get(accountId) ?? 1) - 1;
    if (left > 0) this.#byAccount.set(accountId, left);
    else this.#byAccount.delete(accountId);
    this.#held -= 1;
  }

  /** The accounts that hold some and may have no more now. */
  full(): number[] {
    return [...this.#byAccount.keys()].filter((accountId) => !this.hasFor(accountId));
  }

  /** Whether anybody may have one. */
  get isFull(): boolean {
    return this.#held >= this.#options.limit;
  }
}
