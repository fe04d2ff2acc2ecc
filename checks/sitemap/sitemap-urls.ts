import { setImmediate as nextTurn } from 'node:timers/promises';
import { sitemapEntriesMax } from '../../lists/sitemap-document.ts';
import { readSitemap, SitemapError, type SitemapRequest } from './reader.ts';

const addressesPerTurn = 50;

/**
 * Returns the URLs of a sitemap that can be checked, each once, in their order. The limit is higher than the limit of a
 * monitor, so that the monitor can report how many it leaves out. Errors: SitemapError, also when a part could not be
 * read, since the URLs in that part would look like removed ones.
 */
export async function readSitemapUrls(
  address: string,
  request: Omit<SitemapRequest, 'countMax'>,
): Promise<string[]> {
  const { addresses, unread, isFaulty } = await readSitemap(address, {
    ...request,
    countMax: sitemapEntriesMax,
  });
  if (isFaulty)
    throw new SitemapError(`Part of the sitemap could not be read. ${unread[0]?.why ?? ''}`.trim());
  const checkable = new Set<string>();
  for (const [index, each] of addresses.entries()) {
    if (index % addressesPerTurn === 0) await nextTurn();
    if (request.http.parse(each).problem === undefined) checkable.add(each);
  }
  if (checkable.size === 0) throw new SitemapError('The sitemap lists no URLs that can be checked.');
  return [...checkable];
}
