import { Piscina } from 'piscina';
import { createAbortedError } from '../net/fetch-error.ts';
import { FairLimit } from '../process/fair-limit.ts';

/** The account that a task runs for, and the signal that ends its wait. */
export interface TaskCaller {
  accountId: number;
  signal: AbortSignal;
}

export interface TaskThreadOptions<Task> {
  /** Module with the function that runs a task. */
  module: URL;
  /** Name of the function. Default: the default export. */
  name?: string;
  /** Runs first, so that the thread has loaded its modules. */
  emptyTask: Task;
}

/**
 * Runs tasks on one thread of lower priority, one at a time, with the accounts in turn. The thread starts with the
 * first task, since a thread costs 0.2 s of CPU time and 30 MB. A thread that dies is replaced.
 */
export class TaskThread<Task, Result> {
  readonly #options: TaskThreadOptions<Task>;
  readonly #limit = new FairLimit({ total: 1 });
  #pool: Piscina<Task, Result> | null = null;
  #loaded: Promise<unknown> = Promise.resolve();

  constructor(options: TaskThreadOptions<Task>) {
    this.#options = options;
  }

  #start(): Piscina<Task, Result> {
    if (this.#pool) return this.#pool;
    const { module, name = 'default' } = this.#options;
    this.#pool = new Piscina({
      filename: module.href,
      name,
      minThreads: 1,
      maxThreads: 1,
      niceIncrement: 5,
    });
    this.#load(this.#pool);
    return this.#pool;
  }

  /**
   * Runs a task and transfers the memory of `bytes`, which are part of it. A running task is finished even after an
   * abort, unless it `isInterruptible`: then its thread is ended. Errors: FetchError `aborted`, and the errors of the
   * task and its thread.
   */
  async run(
    task: Task,
    bytes: Uint8Array,
    { accountId, signal }: TaskCaller,
    { isInterruptible = false } = {},
  ): Promise<Result> {
    const run = async () => {
      const pool = this.#start();
      // Node 24 aborts the whole process when a thread is ended while it loads a module (module_wrap.cc).
      await this.#loaded;
      signal.throwIfAborted();
      const transferList = [bytes.buffer as ArrayBuffer];
      return pool.run(task, { transferList, signal: isInterruptible ? signal : null }).catch((error) => {
        this.#load(pool);
        throw error;
      });
    };
    return this.#limit.run(accountId, run, { signal }).catch((error) => {
      throw signal.aborted ? createAbortedError({ cause: error }) : error;
    });
  }

  /** Ends the thread as soon as it has loaded. */
  async close(): Promise<void> {
    await this.#loaded.catch(() => {});
    await this.#pool?.destroy();
  }

  #load(pool: Piscina<Task, Result>): void {
    this.#loaded = pool.run(this.#options.emptyTask);
    // If the thread cannot load, each task fails with the error.
    this.#loaded.catch(() => {});
  }
}

/**
 * Returns the bytes in separate memory, which can be transferred. Small buffers share the memory of Node's pool and are
 * copied. A long body is not copied, because that would leave memory that only a full, blocking garbage collection
 * frees.
 */
export function withOwnMemory(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.length ? bytes : new Uint8Array(bytes);
}
