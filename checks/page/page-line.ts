import { FetchError, gaveUp } from '../../net/fetch-error.ts';
import { Waiting } from '../http/waiting.ts';
import type { PageAsker, PageTask, PageTaskResult } from './page-task.ts';

interface Waiter {
  accountId: number;
  lane: number;
  read(): Promise<void>;
}

/** As many as an account may have single checks in flight; each page is a MiB at most. */
const waitingMax = 20;

/** How long an account's next page is to wait after one that began then, both in milliseconds. */
export type RestMs = (accountId: number, beganMs: number) => number;

/**
 * The line before a thread that reads one page at a time: accounts take turns, each rests between two pages where
 * others want the processor for something else, and who gave up leaves it.
 */
export class PageLine<Task = PageTask, Result = PageTaskResult | null> {
  readonly #readNow: (task: Task) => Promise<Result>;
  readonly #restMs: RestMs;
  readonly #waiting = new Waiting<Waiter>();
  readonly #resting = new Set<number>();
  #isReading = false;

  constructor(readNow: (task: Task) => Promise<Result>, restMs: RestMs) {
    this.#readNow = readNow;
    this.#restMs = restMs;
  }

  /** Errors: FetchError `aborted` if nobody waited any more, `no_place`, and what reading throws. */
  read(task: Task, { accountId, signal }: PageAsker): Promise<Result> {
    if (signal.aborted) return Promise.reject(gaveUp());
    if (this.#waiting.countOf(accountId) >= waitingMax)
      return Promise.reject(new FetchError('no_place', `${waitingMax} pages of the account wait to be read`));
    return new Promise((resolve, reject) => {
      const withdraw = () => {
        this.#waiting.remove(waiter);
        reject(gaveUp());
      };
      const read = () => {
        signal.removeEventListener('abort', withdraw);
        return this.#readNow(task).then(resolve, reject);
      };
      const waiter: Waiter = { accountId, lane: 0, read };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#waiting.add(waiter);
      if (!this.#isReading) void this.#readAll();
    });
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const beganMs = performance.now();
      this.#waiting.serve(next);
      await next.read();
      this.#rest(next.accountId, beganMs);
    }
    this.#isReading = false;
  }

  #next(): Waiter | null {
    return this.#waiting.first((accountId) => this.#resting.has(accountId));
  }

  #rest(accountId: number, beganMs: number): void {
    const ms = this.#restMs(accountId, beganMs);
    if (ms <= 0) return;
    this.#resting.add(accountId);
    setTimeout(() => {
      this.#resting.delete(accountId);
      if (!this.#isReading) void this.#readAll();
    }, ms);
  }
}
