import type { FetchedResponse } from '../../net/fetch.ts';
import { findCanonical } from './canonical.ts';
import { isUndecodable } from './charset.ts';
import type { Page } from './page.ts';

export interface PageMetadata {
  /** `<title>`, at most 200 characters. Null if the page has no title or was not read. */
  title: string | null;
  /** Canonical URL, absolute, at most 512 characters. Null if neither the head nor a `Link` header has one. */
  canonical: string | null;
  /** Source of the directive that forbids Google to index the page. Null without such a directive. */
  noindex: 'meta' | 'header' | null;
}

export const noMetadata: PageMetadata = { title: null, canonical: null, noindex: null };

/** Returns the metadata of a response. `page` is null if the body was not read. */
export function toMetadata(
  { headers }: Pick<FetchedResponse, 'headers'>,
  page: Page | null,
  finalUrl: string,
): PageMetadata {
  const canonical = findCanonical(page, headers.getAll('link'), finalUrl);
  return {
    title: page && !isUndecodable(page.title) ? toDisplayText(page.title, titleCharsMax) || null : null,
    canonical: canonical?.href.slice(0, canonicalCharsMax) ?? null,
    noindex: findNoindex(headers.getAll('x-robots-tag'), page),
  };
}

const titleCharsMax = 200;
const canonicalCharsMax = 512;
const headerCharsMax = 2_000;
const unsafeCharacters = /[\p{Cc}\p{Bidi_Control}]/gu;
// Directives with a value. In all other directives, the part before a colon names a crawler.
const valuedDirectives = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

/** Removes control characters, and characters that change the direction of text. */
function toDisplayText(text: string, charsMax: number): string {
  const plain = text.toWellFormed().replaceAll(unsafeCharacters, ' ').replaceAll(/\s+/gu, ' ').trim();
  // The text is copied. A slice would keep the whole page in memory.
  return [...plain].slice(0, charsMax).join('');
}

function findNoindex(lines: readonly string[], page: Page | null): PageMetadata['noindex'] {
  if (lines.some(forbidsIndexing)) return 'header';
  return page?.isNoindex ? 'meta' : null;
}

// A crawler's name applies to all directives that follow it in the line.
function forbidsIndexing(line: string): boolean {
  let isForGoogle = true;
  for (const part of line.slice(0, headerCharsMax).toLowerCase().split(',')) {
    const [name = '', ...values] = part.split(':').map((word) => word.trim());
    const isNamed = values.length > 0 && !valuedDirectives.has(name);
    if (isNamed) isForGoogle = name === 'googlebot';
    const directive = isNamed ? values.join(':') : name;
    if (isForGoogle && (directive === 'noindex' || directive === 'none')) return true;
  }
  return false;
}
