// Entry point of the thread of `document-thread.ts`.
import { type DocumentOptions, readDocument, type SitemapDocument } from '../../lists/sitemap-document.ts';

/** Body, whose memory was transferred to the thread, and how to read it. */
export interface DocumentTask {
  body: Uint8Array;
  options: DocumentOptions;
}

export default function run({ body, options }: DocumentTask): Promise<SitemapDocument> {
  return readDocument(body, options);
}
