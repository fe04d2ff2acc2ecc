import type { JsonBody } from '../../lists/json-body.ts';
import type { List, ListOptions } from '../../lists/list.ts';
import { ListError } from '../../lists/list-error.ts';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { type TaskCaller, TaskThread, withOwnMemory } from '../task-thread.ts';
import type { DocumentTask, ListReading } from './document-thread-entry.ts';

/** Thread that reads sitemaps, robots.txt files, lists and large JSON bodies. It starts with the first of them. */
export interface DocumentThread {
  /** The body cannot be used afterwards, because its memory is transferred. Throws FetchError `aborted`. */
  read(body: Buffer, options: DocumentOptions, caller: TaskCaller): Promise<SitemapDocument>;
  /** Parses JSON. The body cannot be used afterwards. Throws FetchError `aborted`. */
  readJson(body: Buffer, caller: TaskCaller): Promise<JsonBody>;
  /** Reads a file with a list. The file cannot be used afterwards. Throws ListError and FetchError `aborted`. */
  readList(file: Buffer, options: ListOptions, caller: TaskCaller): Promise<List>;
  close(): Promise<void>;
}

/**
 * Reads documents on a thread. A document may take a second of CPU time. Checks do not wait for it, because pages have
 * another thread. If the caller of a sitemap or list aborts, the thread is replaced. The parsing of JSON is not
 * stopped, because a new thread takes longer.
 */
export function createDocumentThread(): DocumentThread {
  const thread = new TaskThread<DocumentTask, SitemapDocument | JsonBody | ListReading>({
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
    async readList(memory, options, caller) {
      const file = withOwnMemory(memory);
      const task = { file, options };
      const reading = await thread.run(task, file, caller, { isInterruptible: true });
      const { list, problem } = reading as ListReading;
      if (problem !== null) throw new ListError(problem);
      return list;
    },
    close: () => thread.close(),
  };
}
