export interface FairLimitOptions {
  total: number;
  /** Maximum number of slots per account. Default: `total`. */
  perAccount?: number;
  /** Number of slots that only accounts without a slot can take. Default: 0. */
  reserved?: number;
  targets?: SlotTargets;
}

/** Targets that slots are used for, such as hosts. Each target has its own limit. */
interface SlotTargets {
  /**
   * Returns false while a target is full. The target's waiters are then skipped. Call `grantFreeSlots` when the target
   * has a free slot again.
   */
  hasFreeSlot(target: string): boolean;
  onGrant(target: string): void;
}

const anyTarget: SlotTargets = { hasFreeSlot: () => true, onGrant: () => {} };

interface AcquireOptions {
  /** Ends the wait when aborted. The promise then rejects with the signal's reason. */
  signal?: AbortSignal;
  target?: string;
}

export interface Slot {
  readonly accountId: number;
  /** Safe to call twice. */
  release(): void;
}

interface Waiter {
  accountId: number;
  target: string;
  arrival: number;
  grant(slot: Slot): void;
}

interface Waiters {
  /** By target, in order of arrival. */
  byTarget: Map<string, Set<Waiter>>;
  /** Sequence number of the account's last grant, from the same counter as `arrival`. */
  servedAt: number;
}

/**
 * Shares the slots of one process between accounts. The next slot goes to the account that holds the fewest slots. If
 * several accounts hold equally few, the slot goes to the account that has waited longest. The wait starts at the
 * account's oldest request or at its last grant, whichever is later. The last `reserved` free slots go only to accounts
 * that hold no slot.
 */
export class FairLimit {
  readonly #total: number;
  readonly #perAccount: number;
  readonly #reserved: number;
  readonly #targets: SlotTargets;
  readonly #held = new Map<number, number>();
  readonly #waiters = new Map<number, Waiters>();
  #arrivals = 0;
  #inUse = 0;

  constructor({ total, perAccount = total, reserved = 0, targets = anyTarget }: FairLimitOptions) {
    this.#total = total;
    this.#perAccount = perAccount;
    this.#reserved = reserved;
    this.#targets = targets;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get isFull(): boolean {
    return this.#inUse >= this.#total;
  }

  hasSlotFor(accountId: number): boolean {
    const held = this.#held.get(accountId) ?? 0;
    if (this.isFull || held >= this.#perAccount) return false;
    return held === 0 || this.#inUse < this.#total - this.#reserved;
  }

  /** Returns the accounts that hold slots and cannot get another slot. */
  accountsAtLimit(): number[] {
    return [...this.#held.keys()].filter((accountId) => !this.hasSlotFor(accountId));
  }

  tryAcquire(accountId: number, target = ''): Slot | null {
    return this.hasSlotFor(accountId) && this.#targets.hasFreeSlot(target)
      ? this.#grant(accountId, target)
      : null;
  }

  /** Waits for a slot. If the signal is aborted, rejects with its reason. */
  acquire(accountId: number, { signal, target = '' }: AcquireOptions = {}): Promise<Slot> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const withdraw = () => {
        this.#remove(waiter);
        reject(signal?.reason);
      };
      const grant = (slot: Slot) => {
        signal?.removeEventListener('abort', withdraw);
        resolve(slot);
      };
      const waiter: Waiter = { accountId, target, arrival: this.#arrivals++, grant };
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#add(waiter);
      this.grantFreeSlots();
    });
  }

  /** Runs `callback` while holding a slot. Rejects with the reason of the signal or with the error of `callback`. */
  async run<T>(accountId: number, callback: () => Promise<T>, options?: AcquireOptions): Promise<T> {
    const slot = await this.acquire(accountId, options);
    try {
      return await callback();
    } finally {
      slot.release();
    }
  }

  /** Grants free slots to waiters. Call this when a target is below its limit again. */
  grantFreeSlots(): void {
    for (let waiter = this.#nextWaiter(); waiter !== null; waiter = this.#nextWaiter()) {
      const waiters = this.#waiters.get(waiter.accountId);
      if (waiters) waiters.servedAt = this.#arrivals++;
      this.#remove(waiter);
      waiter.grant(this.#grant(waiter.accountId, waiter.target));
    }
  }

  #nextWaiter(): Waiter | null {
    let next: Waiter | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    let longest = Number.POSITIVE_INFINITY;
    for (const [accountId, { byTarget, servedAt }] of this.#waiters) {
      const held = this.#held.get(accountId) ?? 0;
      if (held > fewest || !this.hasSlotFor(accountId)) continue;
      const first = this.#findFirst(byTarget);
      if (!first) continue;
      const since = Math.max(first.arrival, servedAt);
      if (held === fewest && since > longest) continue;
      next = first;
      fewest = held;
      longest = since;
    }
    return next;
  }

  #findFirst(targets: Map<string, Set<Waiter>>): Waiter | null {
    let first: Waiter | null = null;
    for (const [target, [waiter]] of targets) {
      if (!waiter || (first && first.arrival < waiter.arrival)) continue;
      if (this.#targets.hasFreeSlot(target)) first = waiter;
    }
    return first;
  }

  #grant(accountId: number, target: string): Slot {
    this.#targets.onGrant(target);
    this.#held.set(accountId, (this.#held.get(accountId) ?? 0) + 1);
    this.#inUse += 1;
    let isHeld = true;
    return {
      accountId,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#release(accountId);
      },
    };
  }

  #release(accountId: number): void {
    const held = (this.#held.get(accountId) ?? 0) - 1;
    if (held > 0) this.#held.set(accountId, held);
    else this.#held.delete(accountId);
    this.#inUse -= 1;
    this.grantFreeSlots();
  }

  #add(waiter: Waiter): void {
    const { accountId, target } = waiter;
    const waiters = this.#waiters.get(accountId) ?? { byTarget: new Map(), servedAt: 0 };
    this.#waiters.set(accountId, waiters);
    waiters.byTarget.set(target, (waiters.byTarget.get(target) ?? new Set()).add(waiter));
  }

  #remove(waiter: Waiter): void {
    const { accountId, target } = waiter;
    const byTarget = this.#waiters.get(accountId)?.byTarget;
    const waiting = byTarget?.get(target);
    waiting?.delete(waiter);
    if (waiting?.size === 0) byTarget?.delete(target);
    if (byTarget?.size === 0) this.#waiters.delete(accountId);
  }
}
