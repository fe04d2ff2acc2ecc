// Entry point of the thread of `document-thread.ts`.
import { type JsonBody, readJsonBody } from '../../lists/json-body.ts';
import type { List, ListOptions } from '../../lists/list.ts';
import { ListError } from '../../lists/list-error.ts';
import { readFile } from '../../lists/read-file.ts';
import { type DocumentOptions, readDocument, type SitemapDocument } from '../../lists/sitemap-document.ts';

/** Sitemap, robots.txt or list with options, or a JSON body. The memory of the bytes was transferred to the thread. */
export type DocumentTask =
  | { body: Uint8Array; options: DocumentOptions }
  | { file: Uint8Array; options: ListOptions }
  | { json: Uint8Array };

/**
 * A list, or the reason why it cannot be read. The reason is a text, because the class of an error is lost between
 * threads.
 */
export type ListReading = { list: List; problem: null } | { list: null; problem: string };

export default function run(task: DocumentTask): Promise<SitemapDocument | ListReading> | JsonBody {
  if ('json' in task) return readJsonBody(task.json);
  return 'file' in task ? readList(task.file, task.options) : readDocument(task.body, task.options);
}

async function readList(file: Uint8Array, options: ListOptions): Promise<ListReading> {
  try {
    return { list: await readFile(file, options), problem: null };
  } catch (error) {
    if (error instanceof ListError) return { list: null, problem: error.message };
    throw error;
  }
}
