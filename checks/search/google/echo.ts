import type { HTMLElement } from 'node-html-parser';

/** The query in the search box of a result page, which all layouts have; null when there is none. */
export function queryOf(elements: HTMLElement[]): string | null {
  const box = elements.find(isSearchBox);
  if (box === undefined) return null;
  return box.getAttribute('value') ?? (box.rawTagName.toLowerCase() === 'textarea' ? box.text : null);
}

function isSearchBox(element: HTMLElement): boolean {
  if (!/^(input|textarea)$/i.test(element.rawTagName) || !/\bname=["']?q\b/.test(element.rawAttrs))
    return false;
  return element.getAttribute('name') === 'q' && (element.getAttribute('value') ?? element.text) !== '';
}
