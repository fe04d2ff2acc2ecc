// What the thread of `document-thread.ts` runs.
import { type DocumentOptions, readDocument, type SitemapDocument } from '../../lists/sitemap-document.ts';

/** A body whose memory came with it, and how to read it. */
export interface DocumentTask {
  body: Uint8Array;
  options: DocumentOptions;
}

export default function run({ body, options }: DocumentTask): Promise<SitemapDocument> {
  return readDocument(body, options);
}
