import { setTimeout as pause } from 'node:timers/promises';
import type { Cost } from '../outcome.ts';
import { orAborted } from './or-aborted.ts';

/** Asker of a check, which must not learn from its time or its cost whether another has asked. */
export interface Asker {
  id: unknown;
  cost: Cost;
}

/** The time by which askers are kept waiting, in milliseconds. */
export interface Clock {
  now(): number;
  /** Rejects when the signal is aborted first. */
  pause(ms: number, signal: AbortSignal): Promise<unknown>;
}

export const wallClock: Clock = {
  now: () => performance.now(),
  pause: (ms, signal) => pause(ms, null, { signal }),
};

/** Duration and cost of one call, which every asker is given once, as if nobody else had asked. */
export class AsIfAlone {
  readonly #clock: Clock;
  readonly #startedMs: number;
  /** How long it took; until it is over, for ever. */
  #tookMs = Number.POSITIVE_INFINITY;
  /** Those who have waited for so long. */
  readonly #served: Set<unknown>;
  /** Those to whose own cost that of the call was added. */
  readonly #weighed: Set<unknown>;
  /** Cost so far. */
  readonly cost: Cost = { pages: 0 };

  /** The call begins now, for this asker, whose own cost grows with that of the call. */
  constructor(clock: Clock, { id }: Asker) {
    this.#clock = clock;
    this.#startedMs = clock.now();
    this.#served = new Set([id]);
    this.#weighed = new Set([id]);
  }

  /** Whether the asker began the call, or has waited for it. */
  hasServed({ id }: Asker): boolean {
    return this.#served.has(id);
  }

  /** The call is over. */
  end(): void {
    this.#tookMs = this.#clock.now() - this.#startedMs;
  }

  /** Once for each, as it would be had nobody else asked; while it still waits to go out there is nothing to weigh. */
  weigh(asker: Asker): void {
    if (this.cost.pages === 0 || this.#weighed.has(asker.id)) return;
    this.#weighed.add(asker.id);
    asker.cost.pages += this.cost.pages;
  }

  /** Waits until the asker has waited as long as the call took; rejects with the signal's reason. */
  async waitOut({ id }: Asker, sinceMs: number, signal: AbortSignal): Promise<void> {
    if (this.#served.has(id) || signal.aborted) return;
    const remainingMs = this.#tookMs - (this.#clock.now() - sinceMs);
    if (remainingMs > 0) await orAborted(this.#clock.pause(remainingMs, signal), signal);
    this.#served.add(id);
  }
}
