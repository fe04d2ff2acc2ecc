import { HostLimits } from './host-limits.ts';

/** Where a check wants to go; `host` is null when no target's own server is asked. */
export interface SlotRequest {
  accountId: number;
  /** What the account's checks take turns by, such as their chunk. */
  lane: number;
  host: string | null;
  /** When aborted the request is withdrawn: `take` answers null. */
  signal: AbortSignal;
}

/** Gives a check slot back. Safe to call twice. */
export type Release = () => void;

interface Waiter {
  host: string | null;
  give(release: Release | null): void;
}

// One account leaves a quarter of the slots to whoever comes next, however many checks it has waiting.
const accountShareMax = 0.75;

/** Waiting checks by lane, in the order of the lanes' turns: the first key is next. */
type Lanes = Map<number, Set<Waiter>>;

/**
 * The check slots of one process, given out item by item: in turn over the accounts that wait, and for each
 * over its lanes, so that the few connections a chunk has in use serve many of its items; never more than
 * `hostLimit` at one host, at most three quarters to one account, and none to a host that asked to be left
 * alone.
 */
export class CheckSlots {
  readonly #limit: number;
  readonly #accountLimit: number;
  #inFlight = 0;
  /** Waiting checks by account, in the order of the accounts' turns: the first key is next. */
  readonly #waiting = new Map<number, Lanes>();
  readonly #accounts = new Map<number, number>();
  readonly #hosts: HostLimits;

  constructor({ limit, hostLimit }: { limit: number; hostLimit: number }) {
    this.#limit = limit;
    this.#accountLimit = Math.max(1, Math.floor(limit * accountShareMax));
    this.#hosts = new HostLimits(hostLimit);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Waits for a slot; null when the signal was aborted first. */
  take({ accountId, lane, host, signal }: SlotRequest): Promise<Release | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const withdraw = () => {
        this.#leave(accountId, lane, waiter);
        resolve(null);
      };
      const waiter: Waiter = {
        host,
        give: (release) => {
          signal.removeEventListener('abort', withdraw);
          resolve(release);
        },
      };
      signal.addEventListener('abort', withdraw, { once: true });
      const lanes = this.#waiting.get(accountId) ?? new Map();
      this.#waiting.set(accountId, lanes);
      lanes.set(lane, (lanes.get(lane) ?? new Set()).add(waiter));
      this.#giveOut();
    });
  }

  /** Leaves a host alone for as long as it asked, or for longer each time, and then goes on with half. */
  pause(host: string, askedSeconds: number | null): void {
    this.#hosts.pause(host, askedSeconds, () => this.#giveOut());
  }

  #giveOut(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { accountId, lane, waiter } = next;
      const lanes = this.#waiting.get(accountId);
      this.#leave(accountId, lane, waiter);
      if (lanes) moveToEnd(lanes, lane);
      moveToEnd(this.#waiting, accountId);
      waiter.give(this.#occupy(accountId, waiter.host));
    }
  }

  #next(): { accountId: number; lane: number; waiter: Waiter } | null {
    if (this.#inFlight >= this.#limit) return null;
    for (const [accountId, lanes] of this.#waiting) {
      if ((this.#accounts.get(accountId) ?? 0) >= this.#accountLimit) continue;
      for (const [lane, waiters] of lanes) {
        const waiter = this.#firstWelcome(waiters);
        if (waiter) return { accountId, lane, waiter };
      }
    }
    return null;
  }

  #firstWelcome(waiters: Set<Waiter>): Waiter | null {
    const refused = new Set<string>();
    for (const waiter of waiters) {
      if (waiter.host === null) return waiter;
      if (refused.has(waiter.host)) continue;
      if (this.#hosts.isWelcome(waiter.host)) return waiter;
      refused.add(waiter.host);
    }
    return null;
  }

  #occupy(accountId: number, host: string | null): Release {
    this.#inFlight += 1;
    this.#accounts.set(accountId, (this.#accounts.get(accountId) ?? 0) + 1);
    if (host !== null) this.#hosts.enter(host);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#inFlight -= 1;
      const left = (this.#accounts.get(accountId) ?? 1) - 1;
      if (left > 0) this.#accounts.set(accountId, left);
      else this.#accounts.delete(accountId);
      if (host !== null) this.#hosts.leave(host);
      this.#giveOut();
    };
  }

  #leave(accountId: number, lane: number, waiter: Waiter): void {
    const lanes = this.#waiting.get(accountId);
    const waiters = lanes?.get(lane);
    waiters?.delete(waiter);
    if (waiters?.size === 0) lanes?.delete(lane);
    if (lanes?.size === 0) this.#waiting.delete(accountId);
  }
}

function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
