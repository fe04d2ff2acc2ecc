import { Piscina } from 'piscina';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { PageLine } from '../page/page-line.ts';
import type { PageAsker } from '../page/page-task.ts';
import type { DocumentTask } from './document-thread-entry.ts';

/** Thread that reads sitemaps and robots.txt files. It starts with the first of them. */
export interface DocumentThread {
  /**
   * Detaches the memory of the body. Errors: FetchError `aborted`, and `no_place` when too many bodies of the account
   * wait.
   */
  read(body: Buffer, options: DocumentOptions, reader: PageAsker): Promise<SitemapDocument>;
  close(): Promise<void>;
}

/**
 * Reads documents on a thread, one at a time, with the accounts in turn. A document may take a second of CPU time, so
 * pages, which checks wait for, have another thread.
 */
export function createDocumentThread(): DocumentThread {
  let started: { pool: Piscina<DocumentTask, SitemapDocument>; loaded: Promise<unknown> } | null = null;
  const line = new PageLine<DocumentTask, SitemapDocument>((task) => {
    started ??= start();
    return started.pool.run(task, { transferList: [task.body.buffer as ArrayBuffer] });
  });
  return {
    read: (body, options, reader) => {
      // A small buffer shares the memory of Node's pool with others.
      const isAlone = body.buffer.byteLength === body.length;
      return line.read({ body: isAlone ? body : new Uint8Array(body), options }, reader);
    },
    close: async () => {
      // Node 24 ends the whole process with SIGABRT when a thread is ended while it requires a module (module_wrap.cc).
      await started?.loaded.catch(() => {});
      await started?.pool.destroy();
    },
  };
}

function start() {
  const pool = new Piscina<DocumentTask, SitemapDocument>({
    filename: new URL('./document-thread-entry.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    niceIncrement: 5,
  });
  const options: DocumentOptions = {
    url: '',
    format: 'robots',
    contentType: null,
    cut: null,
    max: { pages: 0, index: 0, characters: 0 },
  };
  const loaded = pool.run({ body: new Uint8Array(), options });
  // If the thread cannot load, each task fails with the error.
  loaded.catch(() => {});
  return { pool, loaded };
}
