import * as batches from '../db/batches/batches.ts';
import type { Db } from '../db/postgres/connect.ts';

const lookEveryMs = 1000;

/** Notices within a second that a batch this process works on has ended, by being canceled for one. */
export class EndedBatches {
  readonly #db: Db;
  readonly #watched = new Map<AbortController, batches.BatchRef>();
  #timer: NodeJS.Timeout | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /** A signal that is aborted once the batch has ended, and how to stop watching. */
  watch(ref: batches.BatchRef): { ended: AbortSignal; forget: () => void } {
    const ending = new AbortController();
    this.#watched.set(ending, ref);
    this.#timer ??= setTimeout(() => void this.#look(), lookEveryMs).unref();
    return { ended: ending.signal, forget: () => void this.#watched.delete(ending) };
  }

  /** One query for all of them. */
  async #look(): Promise<void> {
    const watched = [...this.#watched];
    const refs = new Map(watched.map(([, ref]) => [ref.batchId, ref]));
    if (refs.size > 0) {
      // The database is away: recording will notice, later.
      const ended = new Set(await batches.endedOf(this.#db, [...refs.values()]).catch(() => []));
      for (const [ending, { batchId }] of watched) {
        if (!ended.has(batchId)) continue;
        this.#watched.delete(ending);
        ending.abort();
      }
    }
    this.#timer = this.#watched.size > 0 ? setTimeout(() => void this.#look(), lookEveryMs).unref() : null;
  }
}
