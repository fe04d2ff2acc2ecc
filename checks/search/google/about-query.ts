import type { HTMLElement } from 'node-html-parser';
import { isSameQuery } from '../upstream/shape.ts';
import { elementsWithin } from './page.ts';

const quotationMarks = /["\u201c\u201d\u201e\u00ab\u00bb]/g;

/**
 * What Google says of the query above the results, in any language: told by where the links there lead. To our words
 * without quotation marks: as asked they found nothing. To our own words: others were answered ("search instead for").
 * To other words already shown, with no way back to ours: ours found nothing. Null when it says nothing, or when it is
 * not known what was asked.
 */
export function aboutQuery(
  elements: HTMLElement[],
  asked: string | null,
): 'nothing-matches' | 'other-query' | null {
  if (asked === null) return null;
  const links = elements
    .filter(isAbove)
    .flatMap((element) => elementsWithin(element))
    .filter(isLink);
  const queries = links.map(queryOfLink).filter((query) => query !== null);
  const bare = asked.replace(quotationMarks, '');
  if (bare !== asked && queries.some((query) => query === bare || isSameQuery(query, bare)))
    return 'nothing-matches';
  if (links.some((link) => isWayBack(link, asked))) return 'other-query';
  return links.some(({ id }) => id === 'fprsl') ? 'nothing-matches' : null;
}

function isAbove({ id }: HTMLElement): boolean {
  return id === 'taw' || id === 'topstuff';
}

function isLink(element: HTMLElement): boolean {
  return element.rawTagName.toLowerCase() === 'a' && element.text.trim() !== '';
}

/** Not an offer to search for the same in one language or another place. */
function isWayBack(link: HTMLElement, asked: string): boolean {
  const query = queryOfLink(link);
  return query !== null && isSameQuery(query, asked) && isSameQuery(link.text, asked);
}

function queryOfLink(link: HTMLElement): string | null {
  const url = URL.parse(link.getAttribute('href') ?? '', 'https://www.google.com');
  return url?.pathname === '/search' ? url.searchParams.get('q') : null;
}
