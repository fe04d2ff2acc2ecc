import { FetchError, gaveUp } from '../../net/fetch-error.ts';
import { Waiting } from '../http/waiting.ts';
import type { PageAsker, PageTask, PageTaskResult } from './page-task.ts';

interface Waiter {
  accountId: number;
  lane: number;
  read(): Promise<void>;
}

/** As many single checks as an account may have in flight. The bodies that wait are held in memory. */
const waitingMax = 20;

/**
 * Returns how many milliseconds an account must wait after a task before its next one starts. `beganMs` is when the
 * task started, on `performance.now()`'s clock.
 */
export type RestMs = (accountId: number, beganMs: number) => number;

/**
 * Queue in front of a thread that reads one document at a time. Accounts take turns, and an aborted task leaves the
 * queue. `restMs` keeps one account from using the processor all the time; without it no account has to wait.
 */
export class PageLine<Task = PageTask, Result = PageTaskResult | null> {
  readonly #readNow: (task: Task) => Promise<Result>;
  readonly #restMs: RestMs;
  readonly #waiting = new Waiting<Waiter>();
  readonly #resting = new Set<number>();
  #isReading = false;

  constructor(readNow: (task: Task) => Promise<Result>, restMs: RestMs = () => 0) {
    this.#readNow = readNow;
    this.#restMs = restMs;
  }

  /** Errors: FetchError `aborted`, `no_place` when too many tasks of the account wait, and what reading throws. */
  read(task: Task, { accountId, signal }: PageAsker): Promise<Result> {
    if (signal.aborted) return Promise.reject(gaveUp());
    if (this.#waiting.countOf(accountId) >= waitingMax)
      return Promise.reject(
        new FetchError('no_place', `The account already has ${waitingMax} documents waiting.`),
      );
    return new Promise((resolve, reject) => {
      const withdraw = () => {
        this.#waiting.remove(waiter);
        reject(gaveUp());
      };
      const read = async () => {
        signal.removeEventListener('abort', withdraw);
        try {
          resolve(await this.#readNow(task));
        } catch (error) {
          reject(error);
        }
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
