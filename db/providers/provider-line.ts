/** What a line is for: places that hold out `L`, a lease on one, until they are given back. */
export interface LineOptions<L> {
  /** Asks for one of the first so many places; null when all of them are held. */
  take(placeMax: number): Promise<L | null>;
  /** Gives back what nobody here wants any more. */
  giveBack(lease: L): void;
  /** Whether a place is one of the first so many. */
  isWithin(lease: L, placeMax: number): boolean;
  /** Places for accounts that have calls out. */
  placeMax: number;
  /** The same and those kept for accounts that have none out. */
  placeMaxForNewcomers: number;
  /** How many calls of one account are out at once, at most. */
  perAccount: number;
}

interface Waiter<L> {
  give(lease: L): void;
  fail(error: unknown): void;
  /** He has given up, or has a place. */
  isGone: boolean;
}

const lookAgainMs = [40, 160] as const;

/**
 * Calls of one process that wait for a provider. One of them asks at a time: of the account that has the fewest out, in
 * turn where that is the same.
 */
export class ProviderLine<L> {
  readonly #options: LineOptions<L>;
  /** By account, in the order of their turns. */
  readonly #waiting = new Map<number, Set<Waiter<L>>>();
  readonly #out = new Map<number, number>();
  #isServing = false;
  /** A place was given back since one was last asked for. */
  #hasNews = false;
  #lookNow: () => void = () => {};

  constructor(options: LineOptions<L>) {
    this.#options = options;
  }

  /** Waits for a place. Errors: the signal's reason, and those of asking for one. */
  wait(accountId: number, signal: AbortSignal): Promise<L> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise<L>((resolve, reject) => {
      const giveUp = () => {
        waiter.isGone = true;
        this.#leave(accountId, waiter);
        reject(signal.reason);
      };
      const waiter: Waiter<L> = {
        isGone: false,
        give: (lease) => {
          signal.removeEventListener('abort', giveUp);
          resolve(lease);
        },
        fail: (error) => {
          signal.removeEventListener('abort', giveUp);
          reject(error);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(accountId, (this.#waiting.get(accountId) ?? new Set()).add(waiter));
      void this.#serve();
    });
  }

  /**
   * Leaves a place, which may go to who is next here if it is told. False when it goes to nobody: then it is to be
   * given back.
   */
  leave(accountId: number, lease: L | null): boolean {
    this.#countOut(accountId);
    return lease !== null && this.#handOn(lease);
  }

  #handOn(lease: L): boolean {
    const accountId = this.#next();
    if (accountId === undefined) return false;
    const [waiter] = this.#waiting.get(accountId) ?? [];
    if (!waiter || !this.#options.isWithin(lease, this.#placeMaxOf(accountId))) return false;
    this.#give(accountId, waiter, lease);
    return true;
  }

  #countOut(accountId: number): void {
    const left = (this.#out.get(accountId) ?? 1) - 1;
    if (left > 0) this.#out.set(accountId, left);
    else this.#out.delete(accountId);
  }

  /** A place was given back. */
  freed(): void {
    this.#hasNews = true;
    this.#lookNow();
    void this.#serve();
  }

  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    for (let accountId = this.#next(); accountId !== undefined; accountId = this.#next()) {
      await this.#serveOne(accountId);
    }
    this.#isServing = false;
  }

  async #serveOne(accountId: number): Promise<void> {
    const { take, giveBack } = this.#options;
    const [waiter] = this.#waiting.get(accountId) ?? [];
    if (!waiter) return;
    this.#hasNews = false;
    try {
      const lease = await take(this.#placeMaxOf(accountId));
      if (lease === null) await this.#pause();
      else if (!waiter.isGone) this.#give(accountId, waiter, lease);
      else if (!this.#handOn(lease)) giveBack(lease);
    } catch (error) {
      this.#leave(accountId, waiter);
      waiter.fail(error);
    }
  }

  #give(accountId: number, waiter: Waiter<L>, lease: L): void {
    this.#leave(accountId, waiter);
    waiter.isGone = true;
    const others = this.#waiting.get(accountId);
    // To the end of those that have as many out.
    if (others) {
      this.#waiting.delete(accountId);
      this.#waiting.set(accountId, others);
    }
    this.#out.set(accountId, (this.#out.get(accountId) ?? 0) + 1);
    waiter.give(lease);
  }

  #placeMaxOf(accountId: number): number {
    return this.#out.has(accountId) ? this.#options.placeMax : this.#options.placeMaxForNewcomers;
  }

  #next(): number | undefined {
    let next: number | undefined;
    let least = this.#options.perAccount;
    for (const accountId of this.#waiting.keys()) {
      const out = this.#out.get(accountId) ?? 0;
      if (out >= least) continue;
      next = accountId;
      least = out;
    }
    return next;
  }

  #leave(accountId: number, waiter: Waiter<L>): void {
    const waiters = this.#waiting.get(accountId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(accountId);
  }

  /** Other processes give places back unheard; this one need not wait to learn of its own. */
  #pause(): Promise<void> {
    if (this.#hasNews) return Promise.resolve();
    const [least, most] = lookAgainMs;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, least + Math.random() * (most - least));
      this.#lookNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
