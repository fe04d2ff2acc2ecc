import { ProviderError, type SerpPage } from './serp.ts';

/** Maximum number of kept characters. A page takes about 1,500 characters, so about 5,000 pages are kept. */
const charactersMax = 8 * 1024 * 1024;
const failureCharacters = 1_000;

/** A call to a provider, and later its pages. */
interface Entry {
  result: Promise<SerpPage[]>;
  /** Number of checks that wait for the result. */
  waiting: number;
  isSent: boolean;
  /** Aborted when no check waits any more and the call is not sent yet. */
  unwanted: AbortController;
  /** On `performance.now()`'s clock; null while the call is in flight. */
  endedAtMs: number | null;
  characters: number;
}

interface WaitOptions {
  /** Ends the wait with its reason. */
  signal: AbortSignal;
  /** Pages received later than this may be used regardless of their age. On `performance.now()`'s clock. */
  sinceMs?: number;
}

/**
 * Result pages that the checks of one account share. Equal searches in flight make one call. The pages of a call can be
 * reused for `reuseMs` after its end. The error for a rewritten query is kept like a page. Other errors are not kept.
 * Keys must contain the account.
 */
export class SharedPages {
  readonly #reuseMs: number;
  /** Ended calls are in the order in which they ended, so that the oldest pages are removed first. */
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  constructor(reuseMs: number) {
    this.#reuseMs = reuseMs;
  }

  /** Characters of all kept pages and their keys. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Waits for an equal call in flight, or returns the pages of an earlier call; null if there was no such call. Throws
   * the errors of the call, or the signal's reason.
   */
  find(key: string, { signal, sinceMs = Number.POSITIVE_INFINITY }: WaitOptions): Promise<SerpPage[]> | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    const oldestMs = Math.min(sinceMs, performance.now() - this.#reuseMs);
    const isFresh = entry.endedAtMs === null || entry.endedAtMs > oldestMs;
    return isFresh ? this.#waitFor(key, entry, signal) : null;
  }

  /**
   * Makes a call that other checks can find. `unwanted` is aborted when no check waits any more, but not after
   * `markSent`, because a sent call is paid for.
   */
  call(
    key: string,
    makeCall: (unwanted: AbortSignal, markSent: () => void) => Promise<SerpPage[]>,
    { signal }: WaitOptions,
  ): Promise<SerpPage[]> {
    const unwanted = new AbortController();
    const result = makeCall(unwanted.signal, () => {
      entry.isSent = true;
    });
    const entry: Entry = {
      result,
      waiting: 0,
      isSent: false,
      unwanted,
      endedAtMs: null,
      characters: 0,
    };
    this.#remove(key);
    this.#entries.set(key, entry);
    result.then(
      (pages) => this.#keep(key, entry, JSON.stringify(pages).length),
      (error) => (isRewritten(error) ? this.#keep(key, entry, failureCharacters) : this.#remove(key, entry)),
    );
    return this.#waitFor(key, entry, signal);
  }

  async #waitFor(key: string, entry: Entry, signal: AbortSignal): Promise<SerpPage[]> {
    entry.waiting += 1;
    try {
      return await resultOrAbort(entry.result, signal);
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0 && !entry.isSent) {
        this.#remove(key, entry);
        entry.unwanted.abort();
      }
    }
  }

  #keep(key: string, entry: Entry, characters: number): void {
    this.#remove(key, entry);
    entry.endedAtMs = performance.now();
    entry.characters = key.length + characters;
    this.#entries.set(key, entry);
    this.#characters += entry.characters;
    for (const [oldest, { endedAtMs }] of this.#entries) {
      if (this.#characters <= charactersMax) break;
      if (endedAtMs !== null) this.#remove(oldest);
    }
  }

  #remove(key: string, entry = this.#entries.get(key)): void {
    if (entry === undefined || this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#characters -= entry.characters;
  }
}

/** Returns the result, or rejects with the signal's reason as soon as the signal is aborted. */
export function resultOrAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}

function isRewritten(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'rewritten';
}
