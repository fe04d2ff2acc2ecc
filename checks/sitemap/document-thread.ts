import type { JsonBody } from '../../lists/json-body.ts';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { type TaskCaller, TaskThread, withOwnMemory } from '../task-thread.ts';
import type { DocumentTask } from './document-thread-entry.ts';

/** Thread that parses sitemaps, robots.txt files and large JSON bodies. It starts with the first document. */
export interface DocumentThread {
  /** The body cannot be used afterwards, because its memory is transferred. Throws FetchError `aborted`. */
  read(body: Buffer, options: DocumentOptions, caller: TaskCaller): Promise<SitemapDocument>;
  /** Parses JSON. The body cannot be used afterwards. Throws FetchError `aborted`. */
  readJson(body: Buffer, caller: TaskCaller): Promise<JsonBody>;
  close(): Promise<void>;
}

/**
 * Parses documents on a thread. A document may take a second of CPU time. Checks do not wait for it, because pages have
 * another thread. If the caller aborts, the parsing of a sitemap is stopped and the thread is replaced. The parsing of
 * JSON is not stopped, because a new thread takes longer.
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
