import type { Cost } from '../outcome.ts';
import { AsIfAlone, type Asker, type Clock, wallClock } from './as-if-alone.ts';
import { orAborted } from './or-aborted.ts';

interface Call<T> {
  result: Promise<T>;
  /** Those still waiting; when the last one leaves, the call may be given up if it has not gone out yet. */
  waiting: number;
  abandon: AbortController;
  isInFlight: boolean;
  /** On `Date.now()`'s clock; while the call is in flight, never. */
  expiresAt: number;
  asIfAlone: AsIfAlone;
}

export interface Keeping<T> {
  /** How long a result serves others; 0: not at all. */
  reuseMs: number;
  /** Weight of a result in characters; its key is added. */
  weigh(result: T): number;
  /** The oldest results make room for others beyond that. */
  weightMax: number;
  /** Whether a failure is kept like a result; none is unless told otherwise. */
  keepsFailure?(error: unknown): boolean;
}

const failureWeight = 1_000;
/** A timer cannot be set further. */
const timerMsMax = 2 ** 31 - 1;

/**
 * One call for all who ask the same at the same time, and its result for those who ask within the next `reuseMs`.
 * Failures are shared while in flight, and kept only where `keepsFailure` says so. Who did not ask before waits as long
 * as the call took, and is told that it cost as much: else either would tell that somebody else has asked.
 */
export class SharedCalls<T> {
  readonly #keeping: Keeping<T>;
  readonly #clock: Clock;
  readonly #calls = new Map<string, Call<T>>();
  /** Results by key, the oldest first, with their weights. */
  readonly #kept = new Map<string, number>();
  #weight = 0;
  #expiry: NodeJS.Timeout | null = null;

  constructor(keeping: Keeping<T>, clock: Clock = wallClock) {
    this.#keeping = keeping;
    this.#clock = clock;
  }

  /** Weight of all kept results. */
  get weight(): number {
    return this.#weight;
  }

  /**
   * The result for a key, for who could make the call now; rejects with the signal's reason when the asker gives
   * up, which does not disturb the others. `make` is told by a signal when nobody waits any more, and adds to the
   * cost of the call what it comes to, as it does to that of the asker it is made for.
   */
  async get(
    key: string,
    signal: AbortSignal,
    make: (isAbandoned: AbortSignal, cost: Cost) => Promise<T>,
    asker: Asker = { id: null, cost: { pages: 0 } },
  ): Promise<T> {
    return this.#join(this.#known(key) ?? this.#start(key, make, asker), signal, asker);
  }

  /** As `get` for who began the call or was served its result, whom it tells nothing new; null for others. */
  again(key: string, signal: AbortSignal, asker: Asker): Promise<T> | null {
    const call = this.#known(key);
    return call?.asIfAlone.hasServed(asker) ? this.#join(call, signal, asker) : null;
  }

  async #join(call: Call<T>, signal: AbortSignal, asker: Asker): Promise<T> {
    const sinceMs = this.#clock.now();
    call.waiting += 1;
    try {
      return await orAborted(call.result, signal);
    } finally {
      call.waiting -= 1;
      call.asIfAlone.weigh(asker);
      if (call.waiting === 0) call.abandon.abort();
      await call.asIfAlone.waitOut(asker, sinceMs, signal);
    }
  }

  #known(key: string): Call<T> | null {
    const call = this.#calls.get(key);
    return call && call.expiresAt > Date.now() && !isGivenUp(call) ? call : null;
  }

  #start(key: string, make: (isAbandoned: AbortSignal, cost: Cost) => Promise<T>, asker: Asker): Call<T> {
    const abandon = new AbortController();
    const asIfAlone = new AsIfAlone(this.#clock, asker);
    const call: Call<T> = {
      result: make(abandon.signal, asIfAlone.cost).finally(() => asIfAlone.end()),
      waiting: 0,
      abandon,
      isInFlight: true,
      expiresAt: Number.POSITIVE_INFINITY,
      asIfAlone,
    };
    this.#remove(key);
    this.#calls.set(key, call);
    call.result.then(
      (result) => this.#keep(key, call, this.#keeping.weigh(result)),
      (error) => {
        if (this.#keeping.keepsFailure?.(error)) this.#keep(key, call, failureWeight);
        else this.#forget(key, call);
      },
    );
    return call;
  }

  #keep(key: string, call: Call<T>, weight: number): void {
    const { reuseMs, weightMax } = this.#keeping;
    // Another call may have taken its place meanwhile.
    if (this.#calls.get(key) !== call) return;
    if (reuseMs === 0) {
      this.#remove(key);
      return;
    }
    call.isInFlight = false;
    call.expiresAt = Date.now() + reuseMs;
    this.#kept.set(key, key.length + weight);
    this.#weight += key.length + weight;
    for (const [oldest] of this.#kept) {
      if (this.#weight <= weightMax) break;
      this.#remove(oldest);
    }
    this.#expireLater();
  }

  #forget(key: string, call: Call<T>): void {
    if (this.#calls.get(key) === call) this.#remove(key);
  }

  #remove(key: string): void {
    this.#calls.delete(key);
    this.#weight -= this.#kept.get(key) ?? 0;
    this.#kept.delete(key);
  }

  /** One timer for all: they expire in the order in which they were kept. */
  #expireLater(): void {
    const [oldest] = this.#kept.keys();
    const call = oldest === undefined ? undefined : this.#calls.get(oldest);
    if (this.#expiry !== null || call === undefined || call.expiresAt === Number.POSITIVE_INFINITY) return;
    const afterMs = Math.min(timerMsMax, Math.max(0, call.expiresAt - Date.now()));
    this.#expiry = setTimeout(() => this.#expire(), afterMs).unref();
  }

  #expire(): void {
    this.#expiry = null;
    const now = Date.now();
    for (const key of this.#kept.keys()) {
      if ((this.#calls.get(key)?.expiresAt ?? 0) > now) break;
      this.#remove(key);
    }
    this.#expireLater();
  }
}

/** In flight, but everybody who had asked has left: its result may be that it was given up. */
function isGivenUp<T>({ isInFlight, abandon }: Call<T>): boolean {
  return isInFlight && abandon.signal.aborted;
}
