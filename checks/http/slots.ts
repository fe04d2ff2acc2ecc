import type { HeldSlot, Patient, SlotRequest } from './held-slot.ts';
import { SlotTime } from './slot-time.ts';
import {
  type Destination,
  isThere,
  nowhere,
  type Occupant,
  type Place,
  TargetPlaces,
} from './target-places.ts';
import { type Lanes, Waiting } from './waiting.ts';

interface Slot extends Occupant {
  sinceMs: number;
  isOver: boolean;
}

interface Waiter {
  accountId: number;
  lane: number;
  destination: Destination;
  /** The slot it holds and goes on with; null when it has none yet. */
  slot: Slot | null;
  give(slot: Slot): void;
}

// One account leaves a quarter of the slots to whoever comes next, however many checks it has waiting.
const accountShareMax = 0.75;
// So many are given only to accounts that hold none.
const newcomersShare = 0.15;
// A check that has waited for so long for its target gives its slot on to an account that holds none. It goes on, but
// costs little more than a connection; there are never more of those than so many times the limit.
const lendAfterMs = 2000;
const lentMax = 3;
/** Of those who have a slot and were sent on. */
const movingLane = -1;

/**
 * The check slots of one process, given out item by item: to the account that has held slots for the shortest
 * time of late, in turn where that is the same, and within an account in turn over its lanes, so that the few
 * connections a chunk has in use serve many of its items. Never more than `hostLimit` at one host, redirected there or
 * not, nor four times that at one address, at most three quarters to one account, and none to a host that asked to be
 * left alone. An account that holds none waits two seconds at most for its first.
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
  readonly #places: TargetPlaces;
  #movers = 0;
  #later: NodeJS.Timeout | null = null;

  constructor({ limit, hostLimit }: { limit: number; hostLimit: number }) {
    this.#limit = limit;
    this.#accountLimit = Math.max(1, Math.floor(limit * accountShareMax));
    this.#forAnyone = limit - Math.floor(limit * newcomersShare);
    this.#places = new TargetPlaces(hostLimit);
  }

  /** Checks under way, those that have given their slot on included. */
  get inFlight(): number {
    return this.#atWork.size + this.#lent.size;
  }

  /** Waits for a slot; null when the signal was aborted first. */
  async take({ accountId, lane, host, signal }: SlotRequest): Promise<HeldSlot | null> {
    const slot = await this.#wait(
      { accountId, lane, destination: { host, addresses: [] }, slot: null },
      signal,
    );
    if (slot === null) return null;
    return {
      moveTo: (host, addresses, who) => this.#move(slot, { host, addresses }, who),
      giveBack: () => this.#giveBack(slot),
    };
  }

  /** Leaves a host alone for as long as it asked, or for longer each time, and then goes on with half. */
  pause(host: string, askedSeconds: number | null): void {
    this.#places.pause(host, askedSeconds, () => this.#giveOut());
  }

  #wait(asked: Omit<Waiter, 'give'>, signal: AbortSignal): Promise<Slot | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const withdraw = () => {
        this.#waiting.remove(waiter);
        resolve(null);
      };
      const give = (slot: Slot) => {
        signal.removeEventListener('abort', withdraw);
        resolve(slot);
      };
      const waiter: Waiter = { ...asked, give };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#waiting.add(waiter);
      this.#giveOut();
    });
  }

  async #move(slot: Slot, destination: Destination, who: Patient): Promise<Place | null> {
    if (slot.isOver) return null;
    if (isThere(slot.place, destination)) return slot.place;
    this.#places.leave(slot, destination.host);
    const isAtOnce = this.#places.mayMove(slot, destination);
    if (isAtOnce) this.#places.enter(slot, destination);
    const hasMoved = isAtOnce || (await this.#waitToMove(slot, destination, who.signal));
    this.#giveOut();
    return hasMoved ? slot.place : null;
  }

  async #waitToMove(slot: Slot, destination: Destination, signal: AbortSignal): Promise<boolean> {
    const arrive = this.#places.sendOn(slot);
    this.#movers += 1;
    const { accountId } = slot;
    const moved = await this.#wait({ accountId, lane: movingLane, destination, slot }, signal);
    this.#movers -= 1;
    arrive();
    if (slot.isOver) this.#places.leave(slot, null);
    return moved !== null;
  }

  #giveOut(): void {
    for (let waiter = this.#next(); waiter !== null; waiter = this.#next()) {
      this.#waiting.serve(waiter);
      const slot = waiter.slot ?? this.#occupy(waiter);
      this.#places.enter(slot, waiter.destination);
      waiter.give(slot);
    }
    this.#lookLater();
  }

  #next(): Waiter | null {
    const nowMs = Date.now();
    const canLend = this.#canLend(nowMs);
    if (this.#atWork.size >= this.#limit && !canLend && this.#movers === 0) return null;
    let next: Waiter | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [accountId, lanes] of this.#waiting) {
      const hasRoom = this.#hasRoom(accountId, canLend);
      if (!hasRoom && !lanes.has(movingLane)) continue;
      const attained = this.#time.attained(accountId, nowMs);
      if (attained >= least) continue;
      const first = this.#firstOf(lanes, hasRoom);
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

  /** Those who hold a slot come first: it is of no use while they wait. */
  #firstOf(lanes: Lanes<Waiter>, hasRoom: boolean): Waiter | null {
    const mover = this.#firstWelcome(lanes.get(movingLane) ?? []);
    if (mover || !hasRoom) return mover;
    for (const waiters of lanes.values()) {
      const waiter = this.#firstWelcome(waiters);
      if (waiter) return waiter;
    }
    return null;
  }

  #firstWelcome(waiters: Iterable<Waiter>): Waiter | null {
    const refused = new Set<string>();
    for (const waiter of waiters) {
      const { host, addresses } = waiter.destination;
      const key = `${host} ${addresses.join()}`;
      if (refused.has(key)) continue;
      if (this.#isOpen(waiter)) return waiter;
      refused.add(key);
    }
    return null;
  }

  #isOpen({ slot, destination }: Waiter): boolean {
    return slot ? this.#places.mayMove(slot, destination) : this.#places.mayBegin(destination);
  }

  #occupy({ accountId, destination }: Waiter): Slot {
    if (this.#atWork.size >= this.#limit) this.#lendOne();
    const slot = {
      accountId,
      firstHost: destination.host,
      place: nowhere,
      sinceMs: Date.now(),
      isOver: false,
    };
    this.#atWork.add(slot);
    this.#time.begin(accountId, slot.sinceMs);
    return slot;
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
    slot.isOver = true;
    this.#places.leave(slot, null);
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
