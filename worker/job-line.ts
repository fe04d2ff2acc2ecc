import type { JobWithMetadata } from 'pg-boss';
import { Places, type PlacesOptions } from '../process/places.ts';

interface Waiter<P> {
  job: JobWithMetadata<P>;
  sinceMs: number;
}

/**
 * Jobs that wait for a place of their account in the process that has taken them off the queue: of those that may begin
 * the earliest turn is next. How many wait is bounded as places are, so that no account fills the line.
 */
export class JobLine<P extends { account_id: number }> {
  readonly #places: Places;
  readonly #waiters: Waiter<P>[] = [];

  constructor(places: PlacesOptions) {
    this.#places = new Places(places);
  }

  /** False when there is no room for another job of its account. */
  add(job: JobWithMetadata<P>): boolean {
    const { account_id: accountId } = job.data;
    if (!this.#places.hasFor(accountId)) return false;
    this.#places.take(accountId);
    // Behind all of its turn or an earlier one.
    const at = this.#waiters.findLastIndex((other) => other.job.priority >= job.priority) + 1;
    this.#waiters.splice(at, 0, { job, sinceMs: performance.now() });
    return true;
  }

  /** The first of an account that may begin one; it stays in the line. */
  first(mayBegin: (accountId: number) => boolean): JobWithMetadata<P> | null {
    return this.#waiters.find(({ job }) => mayBegin(job.data.account_id))?.job ?? null;
  }

  /** False when it is no longer there. */
  remove(job: JobWithMetadata<P>): boolean {
    const at = this.#waiters.findIndex((waiter) => waiter.job === job);
    if (at === -1) return false;
    this.#waiters.splice(at, 1);
    this.#places.leave(job.data.account_id);
    return true;
  }

  /** Those that have waited for so long. */
  waitingFor(ms: number): JobWithMetadata<P>[] {
    const since = performance.now() - ms;
    return this.#waiters.filter(({ sinceMs }) => sinceMs <= since).map(({ job }) => job);
  }
}
