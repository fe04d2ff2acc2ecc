import type { JsonBody } from '../../lists/json-body.ts';
import type { List, ListOptions } from '../../lists/list.ts';
import { ListError } from '../../lists/list-error.ts';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { type TaskCaller, TaskThread, withOwnMemory } from '../task-thread.ts';
import type { DocumentTask, ListReading } from './document-thread-entry.ts';

/** Threads for sitemaps, robots.txt files, lists and large JSON bodies. A thread starts with its first document. */
export interface DocumentThreads {
  /** The body cannot be used afterwards, because its memory is transferred. Throws FetchError `aborted`. */
  read(body: Buffer, options: DocumentOptions, caller: TaskCaller): Promise<SitemapDocument>;
  /** Parses JSON. The body cannot be used afterwards. Throws FetchError `aborted`. */
  readJson(body: Buffer, caller: TaskCaller): Promise<JsonBody>;
  /** Reads a file with a list. The file cannot be used afterwards. Throws ListError and FetchError `aborted`. */
  readList(file: Buffer, options: ListOptions, caller: TaskCaller): Promise<List>;
  close(): Promise<void>;
}

/**
 * Reads documents on threads. A sitemap or list may take seconds of CPU time, so JSON bodies have their own thread. If
 * the caller of a sitemap or list aborts, its thread is replaced. The parsing of JSON is not stopped, because a new
 * thread would take longer to start.
 */
export function createDocumentThreads(): DocumentThreads {
  const [documents, bodies] = [createThread(), createThread()];
  return {
    read: (memory, options, caller) => {
      const body = withOwnMemory(memory);
      const reading = documents.run({ body, options }, body, caller, { isInterruptible: true });
      return reading as Promise<SitemapDocument>;
    },
    readJson: (memory, caller) => {
      const json = withOwnMemory(memory);
      return bodies.run({ json }, json, caller) as Promise<JsonBody>;
    },
    async readList(memory, options, caller) {
      const file = withOwnMemory(memory);
      const reading = await documents.run({ file, options }, file, caller, { isInterruptible: true });
      const { list, problem } = reading as ListReading;
      if (problem !== null) throw new ListError(problem);
      return list;
    },
    close: async () => {
      await Promise.all([documents.close(), bodies.close()]);
    },
  };
}

function createThread(): TaskThread<DocumentTask, SitemapDocument | JsonBody | ListReading> {
  return new TaskThread({
    module: new URL('./document-thread-entry.ts', import.meta.url),
    emptyTask: { json: new Uint8Array() },
  });
}
