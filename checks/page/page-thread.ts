import { Piscina } from 'piscina';
import { PageLine, type RestMs } from './page-line.ts';
import { type PageTask, type PageTaskResult, type PageTaskRunner, runPageTask } from './page-task.ts';

/** A thread that reads pages, from the first that is to be read until it is closed. */
export interface PageThread {
  run: PageTaskRunner;
  close(): Promise<void>;
}

// Read in about a millisecond, which is no more than sending it to a thread and back.
const smallBytes = 8 * 1024;

/**
 * Reads pages beside whatever else the process does: nobody whose request needs no page waits for one. Short
 * ones are read at once, others in turn over the accounts. The thread is of lower priority, where the system
 * knows that of threads, since one check may wait and a hundred requests should not; and an account rests there.
 */
export function createPageThread(restMs: RestMs): PageThread {
  let begun: Begun | null = null;
  return {
    run: async (task, reader) => {
      // By a short page, too: where one is read, a long one comes next, and the thread has loaded by then.
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

/** Two tenths of a second of processor and 30 MB, which a process that reads no page goes without. */
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
  // Whoever closes waits for it; a thread that cannot load fails those who want to read.
  loaded.catch(() => {});
  return { pool, loaded, line: new PageLine((task) => handOver(pool, task), restMs) };
}

/**
 * The memory of a page goes to the thread with it. Copied, or as a text, it would be a MiB left here that only a full
 * collection frees, for which everybody waits.
 */
function handOver(pool: Begun['pool'], task: PageTask): Promise<PageTaskResult | null> {
  const { buffer, length } = task.bytes;
  // What Node took from its pool has neighbours there.
  const bytes = buffer.byteLength === length ? task.bytes : new Uint8Array(task.bytes);
  return pool.run({ ...task, bytes }, { transferList: [bytes.buffer as ArrayBuffer] });
}
