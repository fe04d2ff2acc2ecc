import { setImmediate as nextTurn } from 'node:timers/promises';
import { sitemapEntriesMax } from '../../lists/sitemap-document.ts';
import { readSitemap, SitemapError, type SitemapRequest } from './reader.ts';

const addressesPerTurn = 50;

/**
 * Returns the URLs of a sitemap that can be checked, without duplicates. Returns more URLs than a monitor can have, so
 * that the monitor can report how many it leaves out. Throws SitemapError if a part could not be read, because the URLs
 * in this part would look as if they were removed.
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
