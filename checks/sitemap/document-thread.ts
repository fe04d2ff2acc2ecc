import { Piscina } from 'piscina';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { gaveUp } from '../../net/fetch-error.ts';
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
 * Reads documents on a thread, one at a time, with the accounts in turn. A document may take a second of CPU time, so
 * pages, which checks wait for, have another thread. When a reader gives up, its thread is ended and a new one started.
 */
export function createDocumentThread(): DocumentThread {
  let thread: Thread | null = null;
  const line = new PageLine<Waiting, SitemapDocument>(({ task, signal }) => {
    thread ??= new Thread();
    return thread.read(task, signal);
  });
  return {
    read: (body, options, reader) => {
      // A small buffer shares the memory of Node's pool with others.
      const isAlone = body.buffer.byteLength === body.length;
      const task = { body: isAlone ? body : new Uint8Array(body), options };
      return line.read({ task, signal: reader.signal }, reader);
    },
    close: async () => thread?.close(),
  };
}

interface Waiting {
  task: DocumentTask;
  signal: AbortSignal;
}

class Thread {
  readonly #pool = new Piscina<DocumentTask, SitemapDocument>({
    filename: new URL('./document-thread-entry.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    niceIncrement: 5,
  });
  // Node 24 ends the whole process with SIGABRT when a thread is ended while it requires a module (module_wrap.cc).
  #loaded = this.#load();

  async read(task: DocumentTask, signal: AbortSignal): Promise<SitemapDocument> {
    await this.#loaded;
    if (signal.aborted) throw gaveUp();
    const transferList = [task.body.buffer as ArrayBuffer];
    return this.#pool.run(task, { transferList, signal }).catch((error) => {
      this.#loaded = this.#load();
      throw signal.aborted ? gaveUp({ cause: error }) : error;
    });
  }

  async close(): Promise<void> {
    await this.#loaded.catch(() => {});
    await this.#pool.destroy();
  }

  /** Resolves when a thread runs that has all its modules. */
  #load(): Promise<unknown> {
    const options: DocumentOptions = {
      url: '',
      format: 'robots',
      contentType: null,
      cut: null,
      max: { pages: 0, index: 0, characters: 0 },
    };
    const loaded = this.#pool.run({ body: new Uint8Array(), options });
    // If the thread cannot load, each task fails with the error.
    loaded.catch(() => {});
    return loaded;
  }
}
