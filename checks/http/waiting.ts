/** Whom a waiter waits for, and what that account's waiters take turns by. */
interface Turn {
  accountId: number;
  lane: number;
}

/** Waiters of one account by lane, in the order of the lanes' turns: the first key is next. */
export type Lanes<W> = Map<number, Set<W>>;

/** Who waits, by account and lane, in the order of their turns. */
export class Waiting<W extends Turn> {
  readonly #accounts = new Map<number, Lanes<W>>();

  /** The account whose turn it is first. */
  [Symbol.iterator](): IterableIterator<[accountId: number, lanes: Lanes<W>]> {
    return this.#accounts.entries();
  }

  /** Whose turn it is; null when nobody waits, or only accounts that are passed over. */
  first(isPassedOver: (accountId: number) => boolean = () => false): W | null {
    for (const [accountId, lanes] of this.#accounts) {
      if (isPassedOver(accountId)) continue;
      for (const waiters of lanes.values()) for (const waiter of waiters) return waiter;
    }
    return null;
  }

  countOf(accountId: number): number {
    let count = 0;
    for (const waiters of this.#accounts.get(accountId)?.values() ?? []) count += waiters.size;
    return count;
  }

  add(waiter: W): void {
    const { accountId, lane } = waiter;
    const lanes = this.#accounts.get(accountId) ?? new Map<number, Set<W>>();
    this.#accounts.set(accountId, lanes);
    lanes.set(lane, (lanes.get(lane) ?? new Set()).add(waiter));
  }

  remove(waiter: W): void {
    const { accountId, lane } = waiter;
    const lanes = this.#accounts.get(accountId);
    const waiters = lanes?.get(lane);
    waiters?.delete(waiter);
    if (waiters?.size === 0) lanes?.delete(lane);
    if (lanes?.size === 0) this.#accounts.delete(accountId);
  }

  /** Takes a waiter out whose turn it was: its account and its lane come last now. */
  serve(waiter: W): void {
    const { accountId, lane } = waiter;
    const lanes = this.#accounts.get(accountId);
    this.remove(waiter);
    if (lanes) moveToEnd(lanes, lane);
    moveToEnd(this.#accounts, accountId);
  }
}

function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
