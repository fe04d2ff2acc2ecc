import { Piscina } from 'piscina';
import { PageLine, type RestMs } from './page-line.ts';
import { type PageTask, type PageTaskResult, type PageTaskRunner, runPageTask } from './page-task.ts';

/** Thread that reads pages. It starts with the first page. */
export interface PageThread {
  run: PageTaskRunner;
  close(): Promise<void>;
}

// Reading it takes about a millisecond, which is no more than sending it to a thread and back.
const smallBytes = 8 * 1024;

/**
 * Reads pages on a thread, so that other requests of the process do not wait for them. Short pages are read at once,
 * longer ones in turn over the accounts. Where the system supports it, the thread has a lower priority, since one check
 * may wait and a hundred requests should not.
 */
export function createPageThread(restMs: RestMs): PageThread {
  let begun: Begun | null = null;
  return {
    run: async (task, reader) => {
      // A short page starts it too, so that it has loaded when a long page follows.
      begun ??= begin(restMs);
      return task.bytes.length <= smallBytes ? runPageTask(task) : begun.line.read(task, reader);
    },
    close: async () => {
      // Node 24 ends the whole process with SIGABRT when a thread is ended while it requires a module (module_wrap.cc).
      await begun?.loaded.catch(() => {});
      await begun?.pool.destroy();
    },
  };
}

interface Begun {
  pool: Piscina<PageTask, PageTaskResult | null>;
  line: PageLine;
  loaded: Promise<unknown>;
}

/** Starts the thread, which costs 0.2 s of CPU time and 30 MB, and so is not started before it is needed. */
function begin(restMs: RestMs): Begun {
  const pool = new Piscina<PageTask, PageTaskResult | null>({
    filename: new URL('./page-thread-entry.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    niceIncrement: 5,
  });
  const loaded = pool.run({
    bytes: new Uint8Array(),
    contentType: null,
    isCut: false,
    where: null,
    isWhole: false,
  });
  // `close` waits for it. If the thread cannot load, each task fails with the error.
  loaded.catch(() => {});
  return { pool, loaded, line: new PageLine((task) => handOver(pool, task), restMs) };
}

/**
 * Transfers the memory of a page to the thread. A copy or a string would leave a MiB on this thread that only a full,
 * blocking garbage collection frees.
 */
function handOver(pool: Begun['pool'], task: PageTask): Promise<PageTaskResult | null> {
  const { buffer, length } = task.bytes;
  // A small buffer shares the memory of Node's pool with others.
  const bytes = buffer.byteLength === length ? task.bytes : new Uint8Array(task.bytes);
  return pool.run({ ...task, bytes }, { transferList: [bytes.buffer as ArrayBuffer] });
}
