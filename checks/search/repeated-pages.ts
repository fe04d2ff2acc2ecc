import { ProviderError, type SerpPage } from './serp.ts';
import { toComparable } from './target.ts';

/**
 * Yields the pages as long as they are new and complete. A provider that ignores page numbers returns the first page
 * each time, perhaps in another order or with fewer results. A crawl may repeat or omit a page. In these cases the
 * results have not ended, and a missing page may contain the target. Throws `ProviderError` (unreadable).
 */
export async function* rejectRepeatedPages(
  provider: string,
  from: number,
  pages: AsyncGenerator<SerpPage>,
): AsyncGenerator<SerpPage> {
  const earlier: Set<string>[] = [];
  let last: number | null = from - 1;
  for await (const page of pages) {
    const { results, page: number } = page;
    const addresses = new Set(results.map(({ url }) => toComparisonKey(url)));
    if (earlier.some((one) => isRepeated(one, addresses)) || hasDuplicates(results.length, addresses.size)) {
      throw new ProviderError(provider, 'unreadable', `page ${number ?? 1} repeats an earlier page`);
    }
    if (last !== null && number !== null && number > last + 1) {
      throw new ProviderError(provider, 'unreadable', `page ${last + 1} is missing before page ${number}`);
    }
    last = number;
    if (addresses.size > 0) earlier.push(addresses);
    if (!page.isCutShort || addresses.size > 0) yield page;
    if (page.isCutShort) {
      throw new ProviderError(provider, 'unreadable', 'the crawl did not show where the results end');
    }
  }
}

/** Share of common results from which two pages are the same. Different pages may share a few results. */
const sharedMin = 0.8;
/** A page is short below this share of an earlier page. All results of a short last page may be on an earlier page. */
const shortBelow = 0.5;
/** A page of Google has about ten results. A longer list has several pages, whose URLs mostly differ. */
const pageMin = 10;

function isRepeated(one: Set<string>, other: Set<string>): boolean {
  const shared = [...other].filter((address) => one.has(address)).length;
  const isNothingNew = shared === other.size && other.size >= shortBelow * one.size;
  return shared > 0 && (isNothingNew || shared >= sharedMin * Math.max(one.size, other.size));
}

/** Returns whether a crawl without page numbers contains its results twice. */
function hasDuplicates(results: number, addresses: number): boolean {
  return results > pageMin && addresses <= results / 2;
}

/** Ignores scheme and tracking parameters, because they may differ when a request is repeated. */
function toComparisonKey(url: string): string {
  const parts = toComparable(url);
  return parts ? `${parts.host}${parts.path}?${parts.query}` : url;
}
