import { isSameQuery, toRecord, toText } from './shape.ts';

/** Names of members with links to other pages of the search, in the spelling of any provider. */
const linkMembers =
  /^((serpapi_?)?pagination|other_?pages|(check|google)_?url|(next|prev|previous)(_?page)?(_?(link|url))?)$/i;
const linksMax = 200;
const depthMax = 4;

/**
 * Returns whether links to further pages contain another query. The reply then answers that other query. Links with our
 * query do not prove that the reply answers our query.
 *
 * Source: serpapi/public-roadmap 3810 (May 2026): `search_parameters.q` and `query_displayed` repeat the query asked,
 * while `pagination.next` carries the one that was answered.
 */
export function linksToOtherSearch(asked: string, ...parts: Record<string, unknown>[]): boolean {
  const links: string[] = [];
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) if (linkMembers.test(name)) collectLinks(value, links);
  }
  return links.flatMap(queriesIn).some((query) => !isSameUnescaped(asked, query));
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

/**
 * Compares two queries, no matter how many times each is escaped. Providers escape URLs in queries more or less often
 * than we do.
 */
function isSameUnescaped(asked: string, query: string): boolean {
  return isSameQuery(asked, query) || isSameQuery(unescapeQuery(asked), unescapeQuery(query));
}

/** Providers escape a URL up to two times more than needed. Further escapes are not removed. */
const unescapesMax = 3;

function unescapeQuery(query: string): string {
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
