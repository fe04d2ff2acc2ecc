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

/** Longer than the largest list takes. Others wait for the thread meanwhile. */
const listMaxMs = 5_000;

/**
 * Reads documents on threads. A sitemap or list may take seconds of CPU time, so JSON bodies, which every request may
 * have, have a thread of their own. If the caller of a sitemap or list aborts, its thread is replaced. The parsing of
 * JSON is not stopped, because a new thread takes longer.
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
      const task = { file, options };
      const reading = await documents
        .run(task, file, caller, { isInterruptible: true, maxMs: listMaxMs })
        .catch((error) => {
          if (error.name !== 'AbortError') throw error;
          throw new ListError('This file takes too long to read. Save its table as CSV, or split it.');
        });
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
