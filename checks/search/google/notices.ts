import { HTMLElement } from 'node-html-parser';
import type { Notice } from '../upstream/verified-serp.ts';
import { isSearchAdvice } from './no-matches.ts';
import { descendantElements } from './page.ts';
import { normaliseQuery, queryCharsMax, withoutQuotes } from './query.ts';

const linkCharsMax = 4 * queryCharsMax;

const noticeIds = ['taw', 'topstuff', 'oFNiHe'];

/**
 * Finds Google's notice about the query by the structure that all languages share. Returns null if the page has no
 * notice. `asked` is the query, normalised.
 *
 * Source: the elements in which jarun/googler, zlurad/serp-parser and gitronald/WebSearcher look for these notices
 * (2020 to 2026), and pages of those years.
 */
export function findGoogleNotice(elements: HTMLElement[], asked: string | null): Notice | null {
  const notices = noticeIds.flatMap((id) => elements.find((element) => element.id === id) ?? []);
  const parts = notices.flatMap((notice) => descendantElements(notice));
  if (hasNothingFoundNotice(notices, asked)) return 'nothing-matches';
  const links = parts.flatMap((part) => toSearchLink(part) ?? []);
  if (asked !== null && links.some((link) => isPlain(link) && isWithoutQuotes(link, asked))) {
    return 'nothing-matches';
  }
  const hasReturnLink =
    elements.some(isReturnLink) ||
    links.some((link) => isPlain(link) && isForced(link) && link.query === asked);
  if (hasReturnLink || hasLimitNotice(notices)) return 'other-query';
  const replaced = parts.find((part) => part.id === 'fprsl' && readText(part) !== '');
  if (replaced === undefined) return null;
  return asked !== null && isNamed(parts, asked) ? 'nothing-matches' : 'other-query';
}

// Parameters for other kinds of results, other places and languages, and other entities of the same name.
const otherSearch = /[?&](tbm|udm|tbs|lr|cr|near|stick|si|ludocid)=/;

/**
 * Returns whether the links to further result pages contain another query. If so, the page answers that other query.
 * Links with our query do not prove that Google answered our query.
 */
export function hasLinksToOtherSearch(elements: HTMLElement[], asked: string): boolean {
  return elements.some((link) => {
    const { rawTagName, rawAttrs } = link;
    if (rawTagName.toLowerCase() !== 'a' || rawAttrs.length > linkCharsMax) return false;
    if (!rawAttrs.includes('/search?') || !rawAttrs.includes('start=')) return false;
    const href = link.getAttribute('href') ?? '';
    const isPage = /^(https?:\/\/[^/]+)?\/search\?/.test(href) && /[?&]start=\d/.test(href);
    const query = isPage && !otherSearch.test(href) ? parseQuery(href) : '';
    return query !== '' && query !== asked;
  });
}

interface SearchLink {
  query: string;
  href: string;
}

function toSearchLink(link: HTMLElement): SearchLink | null {
  if (!isSearchLink(link)) return null;
  const href = link.getAttribute('href') ?? '';
  const query = parseQuery(href);
  return query === '' ? null : { query, href };
}

/** Returns the normalised query of a link to a search; '' if the link has no query. */
function parseQuery(href: string): string {
  return normaliseQuery(decodeParameter(/[?&]q=([^&#]*)/.exec(href)?.[1] ?? ''));
}

function isSearchLink(link: HTMLElement): boolean {
  const { rawAttrs } = link;
  return rawAttrs.includes('/search?') && rawAttrs.length < linkCharsMax && readText(link) !== '';
}

function decodeParameter(parameter: string): string {
  try {
    return decodeURIComponent(parameter.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

function isPlain({ href }: SearchLink): boolean {
  return !otherSearch.test(href) && !/[?&]start=/.test(href);
}

/** Returns whether a link searches for the exact words, without replacements (`nfpr=1`) and additions (`nirf`). */
function isForced({ href }: SearchLink): boolean {
  return /[?&](nfpr=1|nirf=)/.test(href) && !/[?&]spell=1/.test(href);
}

/** Recognises "Results for … (without quotes)". */
function isWithoutQuotes({ query }: SearchLink, asked: string): boolean {
  return asked.includes('"') && query !== asked && query === withoutQuotes(asked);
}

/** Recognises "No results found for …" above other results, or the advice under an empty list. */
function hasNothingFoundNotice(notices: HTMLElement[], asked: string | null): boolean {
  return notices.some((notice) => {
    if (/\bNo results found for\b/.test(notice.text)) return true;
    if (notice.id !== 'topstuff') return false;
    const parts = descendantElements(notice);
    if (parts.some(isSearchAdvice)) return true;
    // The first bold text is the query without results, the second the query whose results are shown.
    const bold = parts.filter(isEmphasis).map((part) => readText(part));
    return asked !== null && bold.length === 2 && bold[0] === asked && bold[1] !== asked;
  });
}

function isEmphasis({ rawTagName }: HTMLElement): boolean {
  return rawTagName === 'b' || rawTagName === 'em';
}

/** Returns whether a part of a notice starts or ends with the query as plain text. Ignores the text of links. */
function isNamed(parts: HTMLElement[], asked: string): boolean {
  return parts.some((part) => {
    const text = isLink(part) ? '' : readText(part, { areLinksRead: false }).replace(/[.。]$/u, '');
    return text.startsWith(asked) || text.endsWith(asked);
  });
}

function isLink({ rawTagName }: HTMLElement): boolean {
  return rawTagName === 'a';
}

/** Recognises the notice about the limit of 32 words, in English, the language of index checks. */
function hasLimitNotice(notices: HTMLElement[]): boolean {
  return notices.some((notice) => /\bwas ignored because we limit queries\b/.test(notice.text));
}

/**
 * Recognises "Search instead for" and "Search only for" in any language. The link to the original words contains
 * `nfpr=1` (no replacement) or `nirf` (no addition). The link of "Did you mean" contains `spell=1`.
 */
function isReturnLink(link: HTMLElement): boolean {
  if (!isSearchLink(link)) return false;
  const href = link.getAttribute('href') ?? '';
  if (/[?&]nirf=/.test(href)) return true;
  const isOriginal = [link, link.parentNode].some((element) => element?.classList.contains('spell_orig'));
  return isOriginal && /[?&]nfpr=1/.test(href) && !/[?&]spell=1/.test(href);
}

const wordsDepthMax = 4;

/**
 * Returns the normalised text of an element. Returns '' if a text node is longer than a query, or if elements nest
 * deeper than `wordsDepthMax`. Without these limits, a hostile page could make us read the same text once per ancestor.
 */
function readText(element: HTMLElement, { areLinksRead = true } = {}): string {
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
