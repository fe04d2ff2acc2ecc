import { HostLimits } from './host-limits.ts';
import { SlotTime } from './slot-time.ts';
import { type Lanes, Waiting } from './waiting.ts';

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
  accountId: number;
  lane: number;
  host: string | null;
  give(release: Release | null): void;
}

// One account leaves a quarter of the slots to whoever comes next, however many checks it has waiting.
const accountShareMax = 0.75;
// So many are given only to accounts that hold none.
const newcomersShare = 0.15;
// A check that has waited for so long for its target gives its slot on to an account that holds none. It goes on, but
// costs little more than a connection; there are never more of those than so many times the limit.
const lendAfterMs = 2000;
const lentMax = 3;

interface Slot {
  accountId: number;
  host: string | null;
  sinceMs: number;
}

/**
 * The check slots of one process, given out item by item: to the account that has held slots for the shortest
 * time of late, in turn where that is the same, and within an account in turn over its lanes, so that the few
 * connections a chunk has in use serve many of its items. Never more than `hostLimit` at one host, at most
 * three quarters to one account, and none to a host that asked to be left alone. An account that holds none
 * waits two seconds at most for its first.
 */
export class CheckSlots {
  readonly #limit: number;
  readonly #accountLimit: number;
  readonly #forAnyone: number;
  readonly #waiting = new Waiting<Waiter>();
  /** The longest held first. */
  readonly #atWork = new Set<Slot>();
  readonly #lent = new Set<Slot>();
  readonly #time = new SlotTime();
  readonly #hosts: HostLimits;
  #later: NodeJS.Timeout | null = null;

  constructor({ limit, hostLimit }: { limit: number; hostLimit: number }) {
    this.#limit = limit;
    this.#accountLimit = Math.max(1, Math.floor(limit * accountShareMax));
    this.#forAnyone = limit - Math.floor(limit * newcomersShare);
    this.#hosts = new HostLimits(hostLimit);
  }

  /** Checks under way, those that have given their slot on included. */
  get inFlight(): number {
    return this.#atWork.size + this.#lent.size;
  }

  /** Waits for a slot; null when the signal was aborted first. */
  take({ accountId, lane, host, signal }: SlotRequest): Promise<Release | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const withdraw = () => {
        this.#waiting.remove(waiter);
        resolve(null);
      };
      const waiter: Waiter = {
        accountId,
        lane,
        host,
        give: (release) => {
          signal.removeEventListener('abort', withdraw);
          resolve(release);
        },
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#waiting.add(waiter);
      this.#giveOut();
    });
  }

  /** Leaves a host alone for as long as it asked, or for longer each time, and then goes on with half. */
  pause(host: string, askedSeconds: number | null): void {
    this.#hosts.pause(host, askedSeconds, () => this.#giveOut());
  }

  #giveOut(): void {
    for (let waiter = this.#next(); waiter !== null; waiter = this.#next()) {
      this.#waiting.serve(waiter);
      waiter.give(this.#occupy(waiter.accountId, waiter.host));
    }
    this.#lookLater();
  }

  #next(): Waiter | null {
    const nowMs = Date.now();
    const canLend = this.#canLend(nowMs);
    if (this.#atWork.size >= this.#limit && !canLend) return null;
    let next: Waiter | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [accountId, lanes] of this.#waiting) {
      if (!this.#hasRoom(accountId, canLend)) continue;
      const attained = this.#time.attained(accountId, nowMs);
      if (attained >= least) continue;
      const first = this.#firstOf(lanes);
      if (!first) continue;
      next = first;
      least = attained;
    }
    return next;
  }

  #hasRoom(accountId: number, canLend: boolean): boolean {
    const mine = this.#time.inFlight(accountId);
    if (mine === 0) return canLend || this.#atWork.size < this.#limit;
    return mine < this.#accountLimit && this.#atWork.size < this.#forAnyone;
  }

  #canLend(nowMs: number): boolean {
    const [longest] = this.#atWork;
    if (longest === undefined || this.#lent.size >= this.#limit * lentMax) return false;
    return nowMs - longest.sinceMs >= lendAfterMs;
  }

  #firstOf(lanes: Lanes<Waiter>): Waiter | null {
    for (const waiters of lanes.values()) {
      const waiter = this.#firstWelcome(waiters);
      if (waiter) return waiter;
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
    if (this.#atWork.size >= this.#limit) this.#lendOne();
    const slot = { accountId, host, sinceMs: Date.now() };
    this.#atWork.add(slot);
    this.#time.begin(accountId, slot.sinceMs);
    if (host !== null) this.#hosts.enter(host);
    return () => this.#giveBack(slot);
  }

  #lendOne(): void {
    const [longest] = this.#atWork;
    if (longest === undefined) return;
    this.#atWork.delete(longest);
    this.#lent.add(longest);
  }

  #giveBack(slot: Slot): void {
    if (!this.#atWork.delete(slot) && !this.#lent.delete(slot)) return;
    this.#time.end(slot.accountId, slot.sinceMs, Date.now());
    if (slot.host !== null) this.#hosts.leave(slot.host);
    this.#giveOut();
  }

  /** Looks again when a slot may be given on, if somebody waits who holds none. */
  #lookLater(): void {
    const [longest] = this.#atWork;
    if (this.#later !== null || longest === undefined || this.#lent.size >= this.#limit * lentMax) return;
    const afterMs = longest.sinceMs + lendAfterMs - Date.now();
    // A host that is full or paused may keep somebody waiting who could have a slot.
    if (afterMs <= 0 || !this.#isNewcomerWaiting()) return;
    this.#later = setTimeout(() => {
      this.#later = null;
      this.#giveOut();
    }, afterMs).unref();
  }

  #isNewcomerWaiting(): boolean {
    for (const [accountId] of this.#waiting) if (this.#time.inFlight(accountId) === 0) return true;
    return false;
  }
}
