import { TaskThread, withOwnMemory } from '../task-thread.ts';
import { type PageTask, type PageTaskResult, type PageTaskRunner, runPageTask } from './page-task.ts';

/** Thread that reads pages. It starts with the first page. */
export interface PageThread {
  run: PageTaskRunner;
  close(): Promise<void>;
}

/**
 * Reads pages of more than `shortBytes` on a thread, so that they do not block the event loop. Accounts take turns.
 * Reads shorter pages on the current thread.
 */
export function createPageThread(shortBytes: number): PageThread {
  const thread = new TaskThread<PageTask, PageTaskResult | null>({
    module: new URL('./page-task.ts', import.meta.url),
    name: runPageTask.name,
    emptyTask: { bytes: new Uint8Array(), contentType: null, isCut: false, urls: null, isWhole: false },
  });
  return {
    run: async (task, caller) => {
      if (task.bytes.length <= shortBytes) return runPageTask(task);
      const bytes = withOwnMemory(task.bytes);
      return thread.run({ ...task, bytes }, bytes, caller);
    },
    close: () => thread.close(),
  };
}
