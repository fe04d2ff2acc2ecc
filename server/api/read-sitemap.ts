import { readSitemapUrls, SitemapError } from '../../checks/sitemap/reader.ts';
import type { InputOf } from '../../schemas/check-types.ts';
import type { Context } from '../context.ts';
import { validationError } from '../http/errors.ts';

/** Fetches a sitemap and reduces the allowance. Throws a 422 for `sitemap_url` if the sitemap cannot be read. */
export async function readSitemap(
  {
    db,
    allowance,
    http,
    documents,
    stopping: signal,
  }: Pick<Context, 'db' | 'allowance' | 'http' | 'documents' | 'stopping'>,
  accountId: number,
  sitemapUrl: string,
): Promise<InputOf[]> {
  await allowance.recordUnbilled(db, accountId, { sitemaps: 1 });
  const urls = await readSitemapUrls(sitemapUrl, { http, documents, accountId, signal }).catch((error) => {
    throw error instanceof SitemapError ? validationError({ sitemap_url: [error.message] }) : error;
  });
  return urls.map((url) => ({ url }));
}
