import { Piscina } from 'piscina';
import type { JsonBody } from '../../lists/json-body.ts';
import type { DocumentOptions, SitemapDocument } from '../../lists/sitemap-document.ts';
import { gaveUp } from '../../net/fetch-error.ts';
import { PageLine } from '../page/page-line.ts';
import type { PageAsker } from '../page/page-task.ts';
import type { DocumentTask } from './document-thread-entry.ts';

/** A thread that reads sitemaps, robots.txt files and large JSON bodies, started with the first of them. */
export interface DocumentThread {
  /**
   * Takes over the memory of the body. Errors: FetchError `aborted`, and `no_place` where too many of the account wait.
   */
  read(body: Buffer, options: DocumentOptions, reader: PageAsker): Promise<SitemapDocument>;
  /** Parses JSON. The same memory and errors. */
  readJson(body: Buffer, reader: PageAsker): Promise<JsonBody>;
  close(): Promise<void>;
}

/**
 * Reads documents on a thread, one at a time, with the accounts in turn. A document may take a second of CPU time, so
 * pages, which checks wait for, have another thread. When the reader of a sitemap gives up, its thread is ended and a
 * new one started; JSON takes less time than that.
 */
export function createDocumentThread(): DocumentThread {
  let thread: Thread | null = null;
  const line = new PageLine<() => Promise<SitemapDocument | JsonBody>, SitemapDocument | JsonBody>((read) =>
    read(),
  );
  const started = () => {
    thread ??= new Thread();
    return thread;
  };
  return {
    read: (body, options, reader) => {
      const task = { body: withOwnMemory(body), options };
      const read = () => started().read(task, task.body, reader.signal);
      return line.read(read, reader) as Promise<SitemapDocument>;
    },
    readJson: (body, reader) => {
      const json = withOwnMemory(body);
      return line.read(() => started().read({ json }, json), reader) as Promise<JsonBody>;
    },
    close: async () => thread?.close(),
  };
}

/** A small buffer shares the memory of Node's pool with others. */
function withOwnMemory(body: Buffer): Uint8Array {
  return body.buffer.byteLength === body.length ? body : new Uint8Array(body);
}

class Thread {
  readonly #pool = new Piscina<DocumentTask, SitemapDocument | JsonBody>({
    filename: new URL('./document-thread-entry.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    niceIncrement: 5,
  });
  // Node 24 ends the whole process with SIGABRT when a thread is ended while it requires a module (module_wrap.cc).
  #loaded = this.#load();

  /** An aborted signal ends the thread. */
  async read(
    task: DocumentTask,
    { buffer }: Uint8Array,
    signal: AbortSignal | null = null,
  ): Promise<SitemapDocument | JsonBody> {
    await this.#loaded;
    if (signal?.aborted) throw gaveUp();
    return this.#pool.run(task, { transferList: [buffer as ArrayBuffer], signal }).catch((error) => {
      this.#loaded = this.#load();
      throw signal?.aborted ? gaveUp({ cause: error }) : error;
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
