import type { HTMLElement } from 'node-html-parser';
import { type AskedPage, createRewrittenError, ProviderError, type Serp, toSerp } from '../serp.ts';
import {
  addParts,
  type Block,
  overviewUnknown,
  overviewUnread,
  type PageParts,
} from '../upstream/features.ts';
import { hasNoMatchesNotice } from './no-matches.ts';
import { findGoogleNotice, hasLinksToOtherSearch } from './notices.ts';
import { findOrganic } from './organic.ts';
import { descendantElements, parsePage } from './page.ts';
import { findEchoedQuery, normaliseQuery } from './query.ts';
import { createHiddenUrlError, toResultUrl } from './url.ts';

/** Elements around the results of a rendered page. */
const frameIds = new Set(['rso', 'search', 'center_col']);

/**
 * Reads a result page of Google in any layout since 2015 (desktop, mobile, without scripts) and any language. If the
 * query that was sent is unknown, the query in the search box of the page is trusted.
 *
 * Throws `ProviderError` of `provider`: blocked (captcha, consent, script check, refusal, hidden URLs), rewritten,
 * upstream (Google's own error page), unreadable (neither results nor Google's notice that nothing matches).
 */
export function readGoogleHtml(html: string, provider: string, { query, wants = [] }: AskedPage = {}): Serp {
  const page = parsePage(html, provider);
  const elements = descendantElements(page);
  if (elements.some(isCaptcha)) throw new ProviderError(provider, 'blocked', 'Google asks for a captcha');
  const echo = findEchoedQuery(elements);
  const asked = query === undefined ? echo : normaliseQuery(query);
  const { results, featuredSnippetUrl, isHidden } = findOrganic(page);
  const isProven = query === undefined || (isComplete(html) && echo !== null);
  const notice = findGoogleNotice(elements, asked);
  const isOther = asked !== null && notice !== 'nothing-matches' && hasLinksToOtherSearch(elements, asked);
  if (results.length === 0) {
    // An empty list is accepted only from a complete page that names the query.
    if (isProven && !hasUnreadResults(elements) && hasNoMatchesNotice(page, elements)) {
      if (echo !== asked || isOther) throw createRewrittenError(provider);
      return toSerp([]);
    }
    const [kind, message] = explainEmpty(html, elements);
    throw new ProviderError(provider, kind, message);
  }
  if (query !== undefined && !isComplete(html))
    throw new ProviderError(provider, 'unreadable', 'the page is truncated');
  if (notice === 'other-query' || isOther || (echo !== null && echo !== asked))
    throw createRewrittenError(provider);
  if (notice === 'nothing-matches') return toSerp([]);
  if (isHidden) throw createHiddenUrlError(provider);
  return addParts(toSerp(results, featuredSnippetUrl), wants, () => readParts(elements, featuredSnippetUrl));
}

/**
 * Finds blocks by Google's ids and classes. An overview may load later, so a page without an overview proves nothing.
 * Sources of an overview are links with a token instead of the URL (karust/openserp google/features.go, August 2026).
 */
function readParts(elements: HTMLElement[], featuredSnippetUrl: string | null): PageParts {
  const has = (test: (element: HTMLElement) => boolean) => (elements.some(test) ? { isPresent: true } : null);
  const hasClass = (name: string) => has(({ classList }) => classList.contains(name));
  const hasLinksIn = (id: string) =>
    has(
      (element) =>
        element.id === id && descendantElements(element).some(({ rawTagName }) => rawTagName === 'a'),
    );
  const blocks: Block[] = [
    { type: 'featured_snippet', content: featuredSnippetUrl && { url: featuredSnippetUrl } },
    { type: 'people_also_ask', content: hasClass('related-question-pair') },
    { type: 'knowledge_panel', content: hasClass('knowledge-panel') ?? hasClass('kp-wholepage') },
    { type: 'ads_top', content: hasLinksIn('tads') },
    { type: 'ads_bottom', content: hasLinksIn('bottomads') ?? hasLinksIn('tadsb') },
  ];
  const overview = has(({ rawAttrs }) => /\bdata-subtree=["']?aimc\b/.test(rawAttrs));
  return {
    visible: blocks.map(({ type }) => type),
    blocks,
    overview: overview ? overviewUnread : overviewUnknown,
  };
}

function isCaptcha(element: HTMLElement): boolean {
  const { id } = element;
  return id === 'captcha-form' || id === 'recaptcha' || element.classList.contains('g-recaptcha');
}

function isComplete(html: string): boolean {
  return /<\/(html|body)\s*>\s*$/i.test(html.slice(-200));
}

/** Returns whether the list of results has external links, which means an unknown layout. */
function hasUnreadResults(elements: HTMLElement[]): boolean {
  const list = elements.find((element) => element.id === 'rso');
  if (list === undefined) return false;
  const links = descendantElements(list).filter((element) => element.rawTagName === 'a');
  return links.some((link) => toResultUrl(link.getAttribute('href') ?? '') !== null);
}

function explainEmpty(
  html: string,
  elements: HTMLElement[],
): ['blocked' | 'upstream' | 'unreadable', string] {
  const status = /<title>Error (\d{3})\b/i.exec(html)?.[1];
  if (status?.startsWith('5')) return ['upstream', `Google answered with its error page ${status}`];
  if (status !== undefined) return ['blocked', `Google refused with its error page ${status}`];
  // The length distinguishes a block page, because all current pages contain these words in their scripts.
  if (html.length < 20_000 && /unusual traffic|\/sorry\/|CaptchaRedirect/i.test(html)) {
    return ['blocked', 'Google suspects unusual traffic'];
  }
  if (/action="https:\/\/consent\.(google|youtube)\./i.test(html)) {
    return ['blocked', 'Google asks for consent'];
  }
  const hasFrame = elements.some((element) => frameIds.has(element.id));
  if (html.includes('/httpservice/retry/enablejs') && !hasFrame) {
    return ['blocked', 'Google requires a browser that runs scripts'];
  }
  return ['unreadable', 'no results on the page, and no notice that there are none'];
}
