// Entry point of the thread of `document-thread.ts`.
import { type JsonBody, readJsonBody } from '../../lists/json-body.ts';
import { type DocumentOptions, readDocument, type SitemapDocument } from '../../lists/sitemap-document.ts';

/** A sitemap or robots.txt with options, or a JSON body. The memory of the body is transferred to the thread. */
export type DocumentTask = { body: Uint8Array; options: DocumentOptions } | { json: Uint8Array };

export default function run(task: DocumentTask): Promise<SitemapDocument> | JsonBody {
  return 'json' in task ? readJsonBody(task.json) : readDocument(task.body, task.options);
}
