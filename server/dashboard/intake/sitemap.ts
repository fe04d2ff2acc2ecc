import { readSitemap as read, SitemapError, type SitemapReading } from '../../../checks/sitemap/reader.ts';
import { addScheme } from '../../../lists/address.ts';
import { listEntriesMax } from '../../../lists/list.ts';
import type { DashboardContext } from '../context.ts';
import { Refusal } from '../refusal.ts';

/** Reads the URLs of a sitemap for the URL field of a check form. Throws a 422 if the sitemap cannot be read. */
export async function readSitemap(
  { db, http, documents, allowance, stopping: signal }: DashboardContext,
  accountId: number,
  text: string,
): Promise<SitemapReading> {
  const address = addScheme(text.trim());
  const { problem } = http.parse(address);
  if (problem !== undefined) throw new Refusal(422, problem);
  await allowance.recordUnbilled(db, accountId, { sitemaps: 1 });
  const request = { http, documents, accountId, signal, countMax: listEntriesMax };
  return read(address, request).catch((error) => {
    throw error instanceof SitemapError ? new Refusal(422, error.message) : error;
  });
}
