import type { HTMLElement } from 'node-html-parser';
import { ProviderError, type Serp, toSerp } from '../serp.ts';
import { checkEchoes } from '../upstream/proof.ts';
import { aboutQuery } from './about-query.ts';
import { queryOf } from './echo.ts';
import { remark, saysNothingMatches } from './notices.ts';
import { findOrganic } from './organic.ts';
import { elementsWithin, parsePage } from './page.ts';
import { resultUrl } from './url.ts';

/** What stands around the results of a page that has been drawn. */
const FRAME_IDS = new Set(['rso', 'search', 'center_col']);

/**
 * Reads a result page as Google serves it: any layout since 2015, desktop, mobile, without script, any language.
 *
 * Errors: `ProviderError` in the name of `provider`: blocked (captcha, consent, script check, refusal), rewritten,
 * upstream (Google's own error page), unreadable (no result recognised and no word from Google that there is none:
 * never an empty answer). A page that answers another query than `asked`, one that is cut short, and an empty one that
 * does not name the query are no answers either; null skips that, for recordings.
 */
export function readGoogleHtml(html: string, provider: string, asked: string | null = null): Serp {
  const page = parsePage(html, provider);
  const elements = elementsWithin(page);
  if (elements.some(isCaptcha)) throw new ProviderError(provider, 'blocked', 'Google asks for a captcha');
  const { results, featuredSnippetUrl } = findOrganic(page);
  checkQuery({ html, elements, provider, asked, isEmpty: results.length === 0 });
  if (results.length === 0) return readEmpty(html, page, elements, provider, asked);
  const said = aboutQuery(elements, asked) ?? remark(elements);
  if (said === 'nothing-matches') return toSerp([]);
  if (said === 'other-query') throw new ProviderError(provider, 'rewritten', 'Google answered another query');
  return toSerp(results, featuredSnippetUrl);
}

interface Page {
  html: string;
  elements: HTMLElement[];
  provider: string;
  asked: string | null;
  isEmpty: boolean;
}

function checkQuery({ html, elements, provider, asked, isEmpty }: Page): void {
  if (asked === null) return;
  // What an empty page is if it is not whole is told by `whyNothing`.
  if (!isWhole(html) && !isEmpty) throw new ProviderError(provider, 'unreadable', 'a page cut short');
  const named = queryOf(elements);
  if (named !== null) checkEchoes({ provider, asked, echoes: [named] });
}

function isWhole(html: string): boolean {
  return /<\/(html|body)\s*>\s*$/i.test(html.slice(-200));
}

function isCaptcha(element: HTMLElement): boolean {
  const { id } = element;
  return id === 'captcha-form' || id === 'recaptcha' || element.classList.contains('g-recaptcha');
}

function readEmpty(
  html: string,
  page: HTMLElement,
  elements: HTMLElement[],
  provider: string,
  asked: string | null,
): Serp {
  const isProven = asked === null || (isWhole(html) && queryOf(elements) !== null);
  if (isProven && !hasUnreadResults(elements) && saysNothingMatches(page, elements)) return toSerp([]);
  const [kind, message] = whyNothing(html, elements);
  throw new ProviderError(provider, kind, message);
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
  // Every page of today carries these words in its scripts, and the address too; a block page has little else.
  if (html.length < 20_000 && /unusual traffic|\/sorry\/|CaptchaRedirect/i.test(html)) {
    return ['blocked', 'Google suspects unusual traffic'];
  }
  if (/action="https:\/\/consent\.(google|youtube)\./i.test(html)) {
    return ['blocked', 'Google asks for consent'];
  }
  const hasFrame = elements.some((element) => FRAME_IDS.has(element.id));
  if (html.includes('/httpservice/retry/enablejs') && !hasFrame) {
    return ['blocked', 'Google wants a browser that runs scripts'];
  }
  return ['unreadable', 'no result on the page, and no word that there is none'];
}
