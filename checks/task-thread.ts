import { Piscina } from 'piscina';
import { createAbortedError } from '../net/fetch-error.ts';
import { FairLimit } from '../process/fair-limit.ts';

export interface TaskCaller {
  accountId: number;
  signal: AbortSignal;
}

interface TaskThreadOptions<Task> {
  /** Module with the function that runs a task. */
  module: URL;
  name?: string;
  /** Task that the thread runs first, to load its modules. */
  emptyTask: Task;
}

/**
 * Runs tasks on one thread of lower priority, one at a time. Accounts take turns. The thread starts with the first
 * task, because the thread costs 0.2 s of CPU time and 30 MB. A thread that dies is replaced.
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
   * Runs a task. Transfers the memory of `bytes`, which are part of the task. If the signal is aborted, a running task
   * still finishes. With `isInterruptible`, the thread is stopped instead. Throws FetchError `aborted`, and the errors
   * of the task and of the thread.
   */
  async run(
    task: Task,
    bytes: Uint8Array,
    { accountId, signal }: TaskCaller,
    { isInterruptible = false }: { isInterruptible?: boolean } = {},
  ): Promise<Result> {
    const run = async () => {
      const pool = this.#start();
      // Node 24 aborts the whole process if a thread is stopped while it loads a module (module_wrap.cc).
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

  /** Stops the thread. Waits until the thread has loaded its modules. */
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
 * Returns bytes that have their own memory, so that the memory can be transferred. A small buffer is copied, because it
 * shares the memory of Node's pool. A long body has its own memory already. A copy would leave memory that only a full
 * garbage collection frees.
 */
export function withOwnMemory(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.length ? bytes : new Uint8Array(bytes);
}
