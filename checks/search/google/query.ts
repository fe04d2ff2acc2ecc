import type { HTMLElement } from 'node-html-parser';

/** Longer than any query that we send, even with entities or percent-encoding. */
export const queryCharsMax = 8_192;

const attributeCharsMax = 4 * queryCharsMax;

/**
 * Normalises a query for comparison. Google may change the case, white space and quotation marks when it repeats a
 * query. The query is cut first, because NFKC may turn one letter into 18 characters.
 */
export function normaliseQuery(query: string): string {
  return query
    .slice(0, queryCharsMax)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u201c-\u201f\u00ab\u00bb\u300c-\u300f]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

export function withoutQuotes(query: string): string {
  return query.replace(/"/g, ' ').replace(/\s+/g, ' ').trim();
}

/** Returns the normalised query in the search box of a page; null if the page has no search box. */
export function findEchoedQuery(elements: HTMLElement[]): string | null {
  for (const element of elements) {
    const tag = element.rawTagName.toLowerCase();
    const isArea = tag === 'textarea';
    // `getAttribute` parses all attributes of a tag. A tag of a hostile page may have very many attributes.
    if ((!isArea && tag !== 'input') || element.rawAttrs.length > attributeCharsMax) continue;
    if (element.getAttribute('name') !== 'q') continue;
    const text = normaliseQuery((isArea ? element.text : element.getAttribute('value')) ?? '');
    if (text !== '') return text;
  }
  return null;
}
