import { TaskThread, withOwnMemory } from '../task-thread.ts';
import { type PageTask, type PageTaskResult, type PageTaskRunner, runPageTask } from './page-task.ts';

/** Thread that reads pages. It starts with the first page. */
export interface PageThread {
  run: PageTaskRunner;
  close(): Promise<void>;
}

// Reading a page of this size takes a millisecond, no more than sending it to a thread and back.
const smallBytes = 8 * 1024;

/**
 * Reads pages on a thread, so that other requests of the process do not wait for them. Reads short pages on the current
 * thread.
 */
export function createPageThread(): PageThread {
  const thread = new TaskThread<PageTask, PageTaskResult | null>({
    module: new URL('./page-task.ts', import.meta.url),
    name: runPageTask.name,
    emptyTask: { bytes: new Uint8Array(), contentType: null, isCut: false, where: null, isWhole: false },
  });
  return {
    run: async (task, caller) => {
      // The thread starts for short pages too, so that the thread is ready when a long page follows.
      thread.start();
      if (task.bytes.length <= smallBytes) return runPageTask(task);
      const bytes = withOwnMemory(task.bytes);
      return thread.run({ ...task, bytes }, bytes, caller);
    },
    close: () => thread.close(),
  };
}
