import type { HTMLElement } from 'node-html-parser';

/** No query that we ask is longer, not even in entities or percent signs. */
export const queryCharsMax = 8_192;

const attributeCharsMax = 4 * queryCharsMax;

/**
 * A query in the form in which two are the same to us: as Google repeats it, case, white space and the shape
 * of its quotation marks may differ. What is longer than any query is cut first: a letter may become
 * eighteen.
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

/** A normalised query without its quotation marks. */
export function withoutMarks(query: string): string {
  return query.replace(/"/g, ' ').replace(/\s+/g, ' ').trim();
}

/** The query a page answers, as its search box repeats it, normalised; null when there is none. */
export function echoOf(elements: HTMLElement[]): string | null {
  for (const element of elements) {
    const tag = element.rawTagName.toLowerCase();
    const isArea = tag === 'textarea';
    // Attributes are taken apart when they are asked for, and a page may have a tag that is full of them.
    if ((!isArea && tag !== 'input') || element.rawAttrs.length > attributeCharsMax) continue;
    if (element.getAttribute('name') !== 'q') continue;
    const text = normaliseQuery((isArea ? element.text : element.getAttribute('value')) ?? '');
    if (text !== '') return text;
  }
  return null;
}
