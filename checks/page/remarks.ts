import type { FetchedResponse } from '../../net/fetch.ts';
import { findCanonical } from './canonical.ts';
import { isUndecodable } from './charset.ts';
import type { Page } from './page.ts';

/** What a page says of itself beside its text, for callers to show. */
export interface PageRemarks {
  /** `<title>`, at most 200 characters; null without one, or when no page was read. */
  title: string | null;
  /** Canonical URL, absolute, at most 512 characters; null when neither head nor `Link` header has one. */
  canonical: string | null;
  /** Where it says that Google is not to index it; null where it does not. */
  noindex: 'meta' | 'header' | null;
}

/** What is remarked where nothing was answered. */
export const noRemarks: PageRemarks = { title: null, canonical: null, noindex: null };

/** The remarks of an answer; `page` is null where its body was not read. */
export function remarksOf(
  { headers }: Pick<FetchedResponse, 'headers'>,
  page: Page | null,
  finalUrl: string,
): PageRemarks {
  const canonical = findCanonical(page, headers.getAll('link'), finalUrl);
  return {
    title: page && !isUndecodable(page.title) ? shown(page.title, titleCharsMax) || null : null,
    canonical: canonical?.href.slice(0, canonicalCharsMax) ?? null,
    noindex: noindexOf(headers.getAll('x-robots-tag'), page),
  };
}

const titleCharsMax = 200;
const canonicalCharsMax = 512;
const headerCharsMax = 2_000;
const unshown = /[\p{Cc}\p{Bidi_Control}]/gu;
// Directives that have a colon of their own, which therefore names no crawler.
const valuedDirectives = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

/**
 * A stranger's words as they can be stored and shown: without what steers a terminal or turns the reading
 * direction.
 */
function shown(text: string, charsMax: number): string {
  const plain = text.toWellFormed().replaceAll(unshown, ' ').replaceAll(/\s+/gu, ' ').trim();
  // Joined again, because a slice would keep the whole page in memory as long as the answer.
  return [...plain].slice(0, charsMax).join('');
}

function noindexOf(lines: readonly string[], page: Page | null): PageRemarks['noindex'] {
  if (lines.some(forbidsIndexing)) return 'header';
  return page?.isNoindex ? 'meta' : null;
}

// A crawler's name holds for the directives that follow it in the line.
function forbidsIndexing(line: string): boolean {
  let isMeant = true;
  for (const part of line.slice(0, headerCharsMax).toLowerCase().split(',')) {
    const [name = '', ...values] = part.split(':').map((word) => word.trim());
    const isNamed = values.length > 0 && !valuedDirectives.has(name);
    if (isNamed) isMeant = name === 'googlebot';
    const directive = isNamed ? values.join(':') : name;
    if (isMeant && (directive === 'noindex' || directive === 'none')) return true;
  }
  return false;
}
