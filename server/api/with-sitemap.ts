import { readAddresses } from '../../checks/sitemap/addresses.ts';
import { SitemapError } from '../../checks/sitemap/reader.ts';
import type { Act } from '../../db/postgres/act.ts';
import type { InputOf } from '../../schemas/check-types.ts';
import type { Context } from '../context.ts';
import { validationError } from '../http/errors.ts';

/** An act on what a sitemap lists, which is read before its transaction; null where there is none. */
export function withSitemap<T>(
  context: Pick<Context, 'allowance' | 'http' | 'documents' | 'stopping'>,
  accountId: number,
  sitemapUrl: string | null,
  make: (read: InputOf[] | null) => Act<T>,
): Act<T> {
  let act: Act<T> | null = null;
  const read = async (): Promise<InputOf[] | null> => {
    if (sitemapUrl === null) return null;
    await context.allowance.take(accountId, { sitemaps: 1 });
    const { http, documents, stopping: signal } = context;
    const urls = await readAddresses(sitemapUrl, { http, documents, accountId, signal }).catch((error) => {
      throw error instanceof SitemapError ? validationError({ sitemap_url: [error.message] }) : error;
    });
    return urls.map((url) => ({ url }));
  };
  return {
    before: async () => {
      act = make(await read());
      await act.before?.();
    },
    perform: (trx) => (act ?? make(null)).perform(trx),
  };
}
