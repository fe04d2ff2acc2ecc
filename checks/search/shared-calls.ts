interface Call<T> {
  result: Promise<T>;
  /** Those still waiting; when the last one leaves, the call may be given up if it has not gone out yet. */
  waiting: number;
  abandon: AbortController;
  isInFlight: boolean;
  /** On `Date.now()`'s clock; while the call is in flight, never. */
  expiresAt: number;
}

const keptMax = 5_000;

/**
 * One call for all who ask the same at the same time, and its result for those who ask within the next `reuseMs`.
 * Failures are shared while in flight and not kept.
 */
export class SharedCalls<T> {
  readonly #reuseMs: number;
  readonly #calls = new Map<string, Call<T>>();

  constructor(reuseMs: number) {
    this.#reuseMs = reuseMs;
  }

  /**
   * The result for a key; rejects with the signal's reason when the asker gives up, which does not disturb the others.
   * `make` is told by a signal when nobody waits any more.
   */
  async get(key: string, signal: AbortSignal, make: (isAbandoned: AbortSignal) => Promise<T>): Promise<T> {
    const call = this.#known(key) ?? this.#start(key, make);
    call.waiting += 1;
    try {
      return await orAborted(call.result, signal);
    } finally {
      call.waiting -= 1;
      if (call.waiting === 0) call.abandon.abort();
    }
  }

  #known(key: string): Call<T> | null {
    const call = this.#calls.get(key);
    return call && call.expiresAt > Date.now() && !isGivenUp(call) ? call : null;
  }

  #start(key: string, make: (isAbandoned: AbortSignal) => Promise<T>): Call<T> {
    const abandon = new AbortController();
    const call: Call<T> = {
      result: make(abandon.signal),
      waiting: 0,
      abandon,
      isInFlight: true,
      expiresAt: Number.POSITIVE_INFINITY,
    };
    this.#calls.delete(key);
    this.#calls.set(key, call);
    call.result.then(
      () => this.#keep(key, call),
      () => this.#forget(key, call),
    );
    return call;
  }

  #keep(key: string, call: Call<T>): void {
    if (this.#reuseMs === 0) {
      this.#forget(key, call);
      return;
    }
    call.isInFlight = false;
    call.expiresAt = Date.now() + this.#reuseMs;
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > keptMax && !oldest.done) this.#calls.delete(oldest.value);
  }

  #forget(key: string, call: Call<T>): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}

/** In flight, but everybody who had asked has left: its result may be that it was given up. */
function isGivenUp<T>({ isInFlight, abandon }: Call<T>): boolean {
  return isInFlight && abandon.signal.aborted;
}

function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
