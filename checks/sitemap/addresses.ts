import { setImmediate as nextTurn } from 'node:timers/promises';
import { readSitemap, type SitemapErrand, SitemapError } from './reader.ts';

/** Far beyond what a monitor takes, so that it can tell how much it leaves out. */
const countMax = 50_000;
const charactersPerTurn = 32 * 1024;

/**
 * The addresses of a sitemap that can be checked, without equal ones, in its order. Errors: SitemapError, also when a
 * part of it could not be read, since what that lists would be missed.
 */
export async function readAddresses(
  address: string,
  { http, accountId, signal }: Pick<SitemapErrand, 'http' | 'accountId' | 'signal'>,
): Promise<string[]> {
  let characters = 0;
  const pace = {
    did: async (more: number) => {
      characters += more;
      if (characters < charactersPerTurn) return;
      characters = 0;
      await nextTurn();
    },
  };
  const { addresses, left, isFaulty } = await readSitemap(address, {
    http,
    accountId,
    signal,
    pace,
    countMax,
  });
  if (isFaulty)
    throw new SitemapError(`A part of the sitemap could not be read: ${left[0]?.why ?? ''}`.trim());
  const fitting = new Set<string>();
  for (const each of addresses) {
    await pace.did(each.length + 512);
    if (http.parse(each).problem === undefined) fitting.add(each);
  }
  if (fitting.size === 0) throw new SitemapError('The sitemap lists no address that can be checked.');
  return [...fitting];
}
