import { HTMLElement } from 'node-html-parser';
import { givesAdvice } from './nothing.ts';
import { elementsWithin } from './page.ts';
import { normaliseQuery, queryCharsMax, withoutMarks } from './query.ts';

/** Google's notices above results that are not the ones asked for. */
export type Remark = 'nothing-matches' | 'other-query';

const linkCharsMax = 4 * queryCharsMax;

/** Where it says it. */
const noticeIds = ['taw', 'topstuff', 'oFNiHe'];

/**
 * Google's notice about the query above results, known by the structure that all languages share; null if it
 * says nothing. `asked` is the query, normalised.
 *
 * Source: the places where jarun/googler, zlurad/serp-parser and gitronald/WebSearcher look for these notices
 * (2020 to 2026), and pages of those years.
 */
export function remark(elements: HTMLElement[], asked: string | null): Remark | null {
  const notices = noticeIds.flatMap((id) => elements.find((element) => element.id === id) ?? []);
  const parts = notices.flatMap((notice) => elementsWithin(notice));
  if (saysNothingFound(notices, asked)) return 'nothing-matches';
  const links = parts.flatMap((part) => searchOf(part) ?? []);
  if (asked !== null && links.some((link) => isPlain(link) && isWithoutMarks(link, asked))) {
    return 'nothing-matches';
  }
  const hasWayBack =
    elements.some(isWayBack) || links.some((link) => isPlain(link) && isForced(link) && link.query === asked);
  if (hasWayBack || saysLimited(notices)) return 'other-query';
  const replaced = parts.find((part) => part.id === 'fprsl' && textOf(part) !== '');
  if (replaced === undefined) return null;
  return asked !== null && isNamed(parts, asked) ? 'nothing-matches' : 'other-query';
}

// Other kinds of results, other places and languages, other things of the same name.
const otherSearch = /[?&](tbm|udm|tbs|lr|cr|near|stick|si|ludocid)=/;

/**
 * Whether a page leads to other pages of another search than ours, and so answers that one: the next page, and those
 * at its foot. Nothing follows from links to ours.
 */
export function leadsToOtherSearch(elements: HTMLElement[], asked: string): boolean {
  return elements.some((link) => {
    const { rawTagName, rawAttrs } = link;
    if (rawTagName.toLowerCase() !== 'a' || rawAttrs.length > linkCharsMax) return false;
    if (!rawAttrs.includes('/search?') || !rawAttrs.includes('start=')) return false;
    const href = link.getAttribute('href') ?? '';
    const isPage = /^(https?:\/\/[^/]+)?\/search\?/.test(href) && /[?&]start=\d/.test(href);
    const query = isPage && !otherSearch.test(href) ? queryOf(href) : '';
    return query !== '' && query !== asked;
  });
}

/** A link to another search. */
interface SearchLink {
  query: string;
  href: string;
}

function searchOf(link: HTMLElement): SearchLink | null {
  if (!isSearchLink(link)) return null;
  const href = link.getAttribute('href') ?? '';
  const query = queryOf(href);
  return query === '' ? null : { query, href };
}

/** The query of a link to a search, normalised; empty when it has none. */
function queryOf(href: string): string {
  return normaliseQuery(decoded(/[?&]q=([^&#]*)/.exec(href)?.[1] ?? ''));
}

function isSearchLink(link: HTMLElement): boolean {
  const { rawAttrs } = link;
  return rawAttrs.includes('/search?') && rawAttrs.length < linkCharsMax && textOf(link) !== '';
}

function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

function isPlain({ href }: SearchLink): boolean {
  return !otherSearch.test(href) && !/[?&]start=/.test(href);
}

/** The words as they are, replaced by no others (`nfpr=1`) and with none included (`nirf`). */
function isForced({ href }: SearchLink): boolean {
  return /[?&](nfpr=1|nirf=)/.test(href) && !/[?&]spell=1/.test(href);
}

/** "Results for … (without quotes)". */
function isWithoutMarks({ query }: SearchLink, asked: string): boolean {
  return asked.includes('"') && query !== asked && query === withoutMarks(asked);
}

/** "No results found for …", with others below, or the advice that stands under an empty list. */
function saysNothingFound(notices: HTMLElement[], asked: string | null): boolean {
  return notices.some((notice) => {
    if (/\bNo results found for\b/.test(notice.text)) return true;
    if (notice.id !== 'topstuff') return false;
    const parts = elementsWithin(notice);
    if (parts.some(givesAdvice)) return true;
    // The query that found nothing, then the one whose results are shown.
    const bold = parts.filter(isEmphasis).map((part) => textOf(part));
    return asked !== null && bold.length === 2 && bold[0] === asked && bold[1] !== asked;
  });
}

function isEmphasis({ rawTagName }: HTMLElement): boolean {
  return rawTagName === 'b' || rawTagName === 'em';
}

/** The query stands there at the begin or the end of what is said, and as no link: there is no way back to it. */
function isNamed(parts: HTMLElement[], asked: string): boolean {
  return parts.some((part) => {
    const said = isLink(part) ? '' : textOf(part, { areLinksRead: false }).replace(/[.。]$/u, '');
    return said.startsWith(asked) || said.endsWith(asked);
  });
}

function isLink({ rawTagName }: HTMLElement): boolean {
  return rawTagName === 'a';
}

/** English, as the interface of index checks is; the limit is 32 words. */
function saysLimited(notices: HTMLElement[]): boolean {
  return notices.some((notice) => /\bwas ignored because we limit queries\b/.test(notice.text));
}

/**
 * "Search instead for" and "Search only for" in any language: the link to the words as they were asked
 * carries `nfpr=1` (no replacement) or `nirf` (nothing included). "Did you mean" has no way back, only
 * `spell=1`.
 */
function isWayBack(link: HTMLElement): boolean {
  if (!isSearchLink(link)) return false;
  const href = link.getAttribute('href') ?? '';
  if (/[?&]nirf=/.test(href)) return true;
  const isOriginal = [link, link.parentNode].some((element) => element?.classList.contains('spell_orig'));
  return isOriginal && /[?&]nfpr=1/.test(href) && !/[?&]spell=1/.test(href);
}

const wordsDepthMax = 4;

/**
 * The words in an element, normalised; none where more is in it than a query. So each text is read by a few of those
 * around it and not by all, of which a page made for that has many.
 */
function textOf(element: HTMLElement, { areLinksRead = true } = {}): string {
  const words: string[] = [];
  const isShort = collectWords(element, { depth: wordsDepthMax, areLinksRead }, words);
  return isShort ? normaliseQuery(words.join('')) : '';
}

function collectWords(
  element: HTMLElement,
  { depth, areLinksRead }: { depth: number; areLinksRead: boolean },
  words: string[],
): boolean {
  return element.childNodes.every((child) => {
    if (child instanceof HTMLElement) {
      if (isLink(child) && !areLinksRead) return true;
      return depth > 0 && collectWords(child, { depth: depth - 1, areLinksRead }, words);
    }
    if (child.rawText.length > queryCharsMax) return false;
    words.push(child.text);
    return true;
  });
}
