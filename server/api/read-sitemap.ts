import { readAddresses } from '../../checks/sitemap/addresses.ts';
import { SitemapError } from '../../checks/sitemap/reader.ts';
import type { InputOf } from '../../schemas/check-types.ts';
import type { Context } from '../context.ts';
import { validationError } from '../http/errors.ts';

/** Reads what a sitemap lists and takes the allowance for it. Throws a 422 that names the sitemap, and ApiError. */
export async function readSitemap(
  {
    allowance,
    http,
    documents,
    stopping: signal,
  }: Pick<Context, 'allowance' | 'http' | 'documents' | 'stopping'>,
  accountId: number,
  sitemapUrl: string,
): Promise<InputOf[]> {
  await allowance.take(accountId, { sitemaps: 1 });
  const urls = await readAddresses(sitemapUrl, { http, documents, accountId, signal }).catch((error) => {
    throw error instanceof SitemapError ? validationError({ sitemap_url: [error.message] }) : error;
  });
  return urls.map((url) => ({ url }));
}
