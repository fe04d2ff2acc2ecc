import { ProviderError, type SerpPage } from './serp.ts';
import { takeApart } from './target.ts';

/**
 * The pages as they come. A provider that heeds no page number sends the first page for ever, asked anew each time and
 * so maybe in another order or with fewer results, and a crawl may hold a page twice or leave one out: that is not how
 * results end, and one of those left out may be the one looked for. What follows one that was cut short is not known.
 * Errors: `ProviderError` (unreadable).
 */
export async function* onlyNew(
  provider: string,
  from: number,
  pages: AsyncGenerator<SerpPage>,
): AsyncGenerator<SerpPage> {
  const earlier: Set<string>[] = [];
  let last: number | null = from - 1;
  for await (const page of pages) {
    const { results, page: number } = page;
    const addresses = new Set(results.map(({ url }) => sameFor(url)));
    if (earlier.some((one) => isSameAgain(one, addresses)) || isTwice(results.length, addresses.size)) {
      throw new ProviderError(provider, 'unreadable', `page ${number ?? 1} is an earlier one once more`);
    }
    if (last !== null && number !== null && number > last + 1) {
      throw new ProviderError(provider, 'unreadable', `no page ${last + 1}, but page ${number}`);
    }
    last = number;
    if (addresses.size > 0) earlier.push(addresses);
    if (!page.isCutShort || addresses.size > 0) yield page;
    if (page.isCutShort) {
      throw new ProviderError(provider, 'unreadable', 'the crawl did not show where the results end');
    }
  }
}

/** Different pages share a result or two; a short last one may hold nothing that was not on a longer one. */
const sharedMin = 0.8;
const shortBelow = 0.5;
/** A page of Google has about ten results; in one piece, more of them than not are of another address. */
const pageMin = 10;

function isSameAgain(one: Set<string>, other: Set<string>): boolean {
  const shared = [...other].filter((address) => one.has(address)).length;
  const isNothingNew = shared === other.size && other.size >= shortBelow * one.size;
  return shared > 0 && (isNothingNew || shared >= sharedMin * Math.max(one.size, other.size));
}

/** A crawl in one piece, of which nobody says where its pages end. */
function isTwice(results: number, addresses: number): boolean {
  return results > pageMin && addresses <= results / 2;
}

/** One page may be linked by another scheme or with other tracking when it is asked for anew. */
function sameFor(url: string): string {
  const parts = takeApart(url);
  return parts ? `${parts.host}${parts.path}?${parts.query}` : url;
}
