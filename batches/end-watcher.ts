import * as batches from '../db/batches/batches.ts';
import type { Db } from '../db/postgres/connect.ts';

const pollEveryMs = 1000;

/**
 * Aborts the signals of jobs and of waiting requests within a second after their batch has ended. One query reads all
 * watched batches.
 */
export class BatchEndWatcher {
  readonly #db: Db;
  readonly #watched = new Map<AbortController, batches.BatchRef>();
  #timer: NodeJS.Timeout | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  watch(ref: batches.BatchRef): { ended: AbortSignal; unwatch: () => void } {
    const controller = new AbortController();
    this.#watched.set(controller, ref);
    this.#timer ??= setTimeout(() => void this.#poll(), pollEveryMs).unref();
    return { ended: controller.signal, unwatch: () => void this.#watched.delete(controller) };
  }

  async #poll(): Promise<void> {
    const watched = [...this.#watched];
    const refs = new Map(watched.map(([, ref]) => [ref.batchId, ref]));
    if (refs.size > 0) {
      // If this query fails, the next query runs a second later. A worker also learns of the end when it records
      // outcomes.
      const ended = new Set(await batches.findEnded(this.#db, [...refs.values()]).catch(() => []));
      for (const [controller, { batchId }] of watched) {
        if (!ended.has(batchId)) continue;
        this.#watched.delete(controller);
        controller.abort();
      }
    }
    this.#timer = this.#watched.size > 0 ? setTimeout(() => void this.#poll(), pollEveryMs).unref() : null;
  }
}
