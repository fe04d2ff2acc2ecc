import type { HTMLElement } from 'node-html-parser';
import { ProviderError, type Serp, toSerp } from '../serp.ts';
import { saysNothingMatches } from './nothing.ts';
import { leadsToOtherSearch, remark } from './notices.ts';
import { findOrganic } from './organic.ts';
import { elementsWithin, parsePage } from './page.ts';
import { echoOf, normaliseQuery } from './query.ts';
import { addressesHidden, resultUrl } from './url.ts';

/** Elements around the results of a rendered page. */
const frameIds = new Set(['rso', 'search', 'center_col']);

/**
 * Reads a result page as Google serves it: any layout since 2015, desktop, mobile, without script, any
 * language. `query` is what was asked; where it is null, the page is believed to answer what its search box
 * says.
 *
 * Errors: `ProviderError` in the name of `provider`: blocked (captcha, consent, script check, refusal,
 * addresses that are kept from us), rewritten, upstream (Google's own error page), unreadable (no result
 * recognised and no word from Google that there is none: never an empty answer).
 */
export function readGoogleHtml(html: string, provider: string, query: string | null = null): Serp {
  const page = parsePage(html, provider);
  const elements = elementsWithin(page);
  if (elements.some(isCaptcha)) throw new ProviderError(provider, 'blocked', 'Google asks for a captcha');
  const echo = echoOf(elements);
  const asked = query === null ? echo : normaliseQuery(query);
  const { results, featuredSnippetUrl, isHidden } = findOrganic(page);
  const isProven = query === null || (isWhole(html) && echo !== null);
  const said = remark(elements, asked);
  const isOther = asked !== null && said !== 'nothing-matches' && leadsToOtherSearch(elements, asked);
  if (results.length === 0)
    return readEmpty({ html, page, elements, provider, isProven, isOurs: echo === asked && !isOther });
  if (query !== null && !isWhole(html)) throw new ProviderError(provider, 'unreadable', 'a page cut short');
  if (said === 'other-query' || isOther || (echo !== null && echo !== asked)) throw notOurs(provider);
  if (said === 'nothing-matches') return toSerp([]);
  if (isHidden) throw addressesHidden(provider);
  return toSerp(results, featuredSnippetUrl);
}

function isCaptcha(element: HTMLElement): boolean {
  const { id } = element;
  return id === 'captcha-form' || id === 'recaptcha' || element.classList.contains('g-recaptcha');
}

interface EmptyPage {
  html: string;
  page: HTMLElement;
  elements: HTMLElement[];
  provider: string;
  /** It is whole and names a query. */
  isProven: boolean;
  /** The query that it names, and whose pages it links to, is the one that was asked. */
  isOurs: boolean;
}

/** An empty list is believed only of a whole page that names the query. */
function readEmpty({ html, page, elements, provider, isProven, isOurs }: EmptyPage): Serp {
  if (isProven && !hasUnreadResults(elements) && saysNothingMatches(page, elements)) {
    if (!isOurs) throw notOurs(provider);
    return toSerp([]);
  }
  const [kind, message] = whyNothing(html, elements);
  throw new ProviderError(provider, kind, message);
}

function isWhole(html: string): boolean {
  return /<\/(html|body)\s*>\s*$/i.test(html.slice(-200));
}

function notOurs(provider: string): ProviderError {
  return new ProviderError(provider, 'rewritten', 'Google answered another query');
}

/** Links that lead away stand where the results should be: a layout we do not know. */
function hasUnreadResults(elements: HTMLElement[]): boolean {
  const list = elements.find((element) => element.id === 'rso');
  if (list === undefined) return false;
  const links = elementsWithin(list).filter((element) => element.rawTagName === 'a');
  return links.some((link) => resultUrl(link.getAttribute('href') ?? '') !== null);
}

function whyNothing(html: string, elements: HTMLElement[]): ['blocked' | 'upstream' | 'unreadable', string] {
  const status = /<title>Error (\d{3})\b/i.exec(html)?.[1];
  if (status?.startsWith('5')) return ['upstream', `Google answered with its error page ${status}`];
  if (status !== undefined) return ['blocked', `Google refused with its error page ${status}`];
  // Every page of today carries these words in its scripts, and the address too; a block page has little
  // else.
  if (html.length < 20_000 && /unusual traffic|\/sorry\/|CaptchaRedirect/i.test(html)) {
    return ['blocked', 'Google suspects unusual traffic'];
  }
  if (/action="https:\/\/consent\.(google|youtube)\./i.test(html)) {
    return ['blocked', 'Google asks for consent'];
  }
  const hasFrame = elements.some((element) => frameIds.has(element.id));
  if (html.includes('/httpservice/retry/enablejs') && !hasFrame) {
    return ['blocked', 'Google wants a browser that runs scripts'];
  }
  return ['unreadable', 'no result on the page, and no word that there is none'];
}
