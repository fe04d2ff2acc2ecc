import type { JsonBody } from '../../lists/json-body.ts';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { type TaskCaller, TaskThread, withOwnMemory } from '../task-thread.ts';
import type { DocumentTask } from './document-thread-entry.ts';

/** A thread that reads sitemaps, robots.txt files and large JSON bodies, started with the first of them. */
export interface DocumentThread {
  /** Takes over the memory of the body. Errors: FetchError `aborted`. */
  read(body: Buffer, options: DocumentOptions, caller: TaskCaller): Promise<SitemapDocument>;
  /** Parses JSON. Takes over the memory of the body. Errors: FetchError `aborted`. */
  readJson(body: Buffer, caller: TaskCaller): Promise<JsonBody>;
  close(): Promise<void>;
}

/**
 * Reads documents on a thread. A document may take a second of CPU time, so pages, which checks wait for, have another
 * thread. When the caller of a sitemap aborts, the thread is ended and a new one started. JSON is not interrupted,
 * because it takes less time than a new thread.
 */
export function createDocumentThread(): DocumentThread {
  const thread = new TaskThread<DocumentTask, SitemapDocument | JsonBody>({
    module: new URL('./document-thread-entry.ts', import.meta.url),
    emptyTask: { json: new Uint8Array() },
  });
  return {
    read: (memory, options, caller) => {
      const body = withOwnMemory(memory);
      const reading = thread.run({ body, options }, body, caller, { isInterruptible: true });
      return reading as Promise<SitemapDocument>;
    },
    readJson: (memory, caller) => {
      const json = withOwnMemory(memory);
      return thread.run({ json }, json, caller) as Promise<JsonBody>;
    },
    close: () => thread.close(),
  };
}
