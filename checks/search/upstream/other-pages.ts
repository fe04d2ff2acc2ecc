import { isSameQuery, toRecord, toText } from './shape.ts';

/** Members of a reply, in any provider's spelling, under which it links to pages of the search it answers. */
const holders =
  /^((serpapi_?)?pagination|other_?pages|(check|google)_?url|(next|prev|previous)(_?page)?(_?(link|url))?)$/i;
const linksMax = 200;
const depthMax = 4;

/**
 * Whether a part of a reply links to a page of another search than ours, and so answers that one. Nothing follows from
 * links to ours.
 *
 * Source: serpapi/public-roadmap 3810 (May 2026): `search_parameters.q` and `query_displayed` repeat the query asked,
 * while `pagination.next` carries the one that was answered.
 */
export function linksToOtherSearch(asked: string, ...parts: Record<string, unknown>[]): boolean {
  const links: string[] = [];
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) if (holders.test(name)) collectLinks(value, links);
  }
  return links.flatMap(queriesIn).some((query) => !isSpelledAs(asked, query));
}

function collectLinks(value: unknown, links: string[], depth = 0): void {
  if (links.length >= linksMax || depth > depthMax) return;
  const text = toText(value);
  if (text !== null) links.push(text);
  const inner = Array.isArray(value) ? value : Object.values(toRecord(value));
  for (const one of inner) collectLinks(one, links, depth + 1);
}

function queriesIn(link: string): string[] {
  if (!/[?&]q=./.test(link)) return [];
  return URL.parse(link, 'https://www.google.com')?.searchParams.getAll('q') ?? [];
}

/** An address in a query may have been escaped once more, or once less. */
function isSpelledAs(asked: string, query: string): boolean {
  return isSameQuery(asked, query) || isSameQuery(unescaped(asked), unescaped(query));
}

/** Providers escape an address once or twice more than needed. Text that is escaped more often is compared as it is. */
const unescapesMax = 3;

function unescaped(query: string): string {
  let text = query;
  for (let round = 0; round < unescapesMax; round++) {
    text = text.replaceAll('+', ' ');
    try {
      text = decodeURIComponent(text);
    } catch {
      return text;
    }
  }
  return text;
}
