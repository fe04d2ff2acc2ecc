import type { Place } from './target-places.ts';

/** Where a check wants to go; `host` is null when no target's own server is asked. */
export interface SlotRequest {
  accountId: number;
  /** What the account's checks take turns by, such as their chunk. */
  lane: number;
  host: string | null;
  /** When aborted the request is withdrawn: `take` answers null. */
  signal: AbortSignal;
}

/** Who waits until a signal is aborted; it is asked for only where there is something to wait for. */
export interface Patient {
  readonly signal: AbortSignal;
}

/** A check slot that is held. */
export interface HeldSlot {
  /**
   * Leaves the place it has, and waits for one at another host and the first of these addresses that has room, or has
   * none at null; the host's own place is kept while only an address is waited for, and the address, too, if it is
   * among them. Answers the place it has then, or null when he waited in vain.
   */
  moveTo(host: string | null, addresses: readonly string[], who: Patient): Promise<Place | null>;
  /** Gives it back with its place. Safe to call twice. */
  giveBack(): void;
}
