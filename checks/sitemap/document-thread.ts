import { Piscina } from 'piscina';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { PageLine } from '../page/page-line.ts';
import type { PageAsker } from '../page/page-task.ts';
import type { DocumentTask } from './document-thread-entry.ts';

/** A thread that reads sitemaps and robots.txt files, started with the first of them. */
export interface DocumentThread {
  /**
   * Takes over the memory of the body. Errors: FetchError `aborted`, and `no_place` where too many of the account wait.
   */
  read(body: Buffer, options: DocumentOptions, reader: PageAsker): Promise<SitemapDocument>;
  close(): Promise<void>;
}

/**
 * Reads documents off the event loop, one at a time, the accounts in turn. One may take a second of processor, so it is
 * not the thread of the pages, for each of which a check waits.
 */
export function createDocumentThread(): DocumentThread {
  let started: { pool: Piscina<DocumentTask, SitemapDocument>; loaded: Promise<unknown> } | null = null;
  const line = new PageLine<DocumentTask, SitemapDocument>((task) => {
    started ??= start();
    return started.pool.run(task, { transferList: [task.body.buffer as ArrayBuffer] });
  });
  return {
    read: (body, options, reader) => {
      // What Node took from its pool has neighbours there.
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
    max: { pages: 0, index: 0 },
  };
  const loaded = pool.run({ body: new Uint8Array(), options });
  // A thread that cannot load fails each reading.
  loaded.catch(() => {});
  return { pool, loaded };
}
