import { readSitemap as read, SitemapError, type SitemapReading } from '../../../checks/sitemap/reader.ts';
import { withScheme } from '../../../lists/address.ts';
import { listEntriesMax } from '../../../lists/read-list.ts';
import { createPace } from '../../http/loop-turns.ts';
import type { DashboardContext } from '../context.ts';
import { Refusal } from '../refusal.ts';

/** The addresses a sitemap lists, for the box. Throws a 422 when nothing comes of it. */
export async function readSitemap(
  { http, allowance, stopping: signal }: DashboardContext,
  accountId: number,
  text: string,
): Promise<SitemapReading> {
  const address = withScheme(text.trim());
  const { problem } = http.parse(address);
  if (problem !== undefined) throw new Refusal(422, problem);
  await allowance.take(accountId, { sitemaps: 1 });
  const pace = createPace(accountId, 32 * 1024);
  return read(address, { http, accountId, signal, pace, countMax: listEntriesMax }).catch((error) => {
    throw error instanceof SitemapError ? new Refusal(422, error.message) : error;
  });
}
