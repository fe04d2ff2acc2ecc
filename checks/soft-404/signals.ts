import { parseUrl } from '../../net/url.ts';
import { resolveOnPage } from '../page/canonical.ts';
import type { Page } from '../page/page.ts';
import type { Sentence, SentenceReader } from './sentences.ts';
import {
  hasOwnHeadline,
  isBareError,
  readTitleParts,
  saysOfferGone,
  textSignals,
  titleCharsRead,
  topSignals,
} from './statements.ts';
import { type Signal, signalWeights } from './weights.ts';

export type PageUrls = { url: string; finalUrl: string; redirected: boolean };

/** Returns the signals of a page, without duplicates. */
export function readSignals(page: Page, urls: PageUrls, reader: SentenceReader): Signal[] {
  const titles = [page.title, page.ogTitle].map((title) =>
    readTitleParts(title.slice(0, titleCharsRead), reader),
  );
  const headings = page.headings
    .slice(0, headingsRead)
    .map((heading) => readTitleParts(heading.text, reader));
  const top = [...titles.flat(), ...headings.flat()];
  const isTiny = page.plainWords <= tinyWords;
  const isShort = page.proseWords <= shortProseWords && page.plainWords <= shortPlainWords;
  const isOwn = hasOwnHeadline(page, reader);
  const stated = [
    ...topSignals('title', titles, isTiny ? headings.flat() : []),
    ...topSignals('heading', headings, isTiny ? titles.flat() : []),
    ...(isShort ? shortTextSignals(page, isOwn, reader) : []),
  ];
  const found: [Signal, boolean][] = [
    ...stated,
    ...layoutSignals(page, urls),
    ['own_headline', isOwn],
    ['long_prose', page.proseWords > longProseWords],
  ];
  // These signals against a soft 404 need the whole text. They are useless if there is no strong signal.
  if (found.some(([signal, isFound]) => isFound && signalWeights[signal].isStrong)) {
    const text = reader.read(page.mainText.slice(0, textCharsRead));
    found.push(
      ['about_error_pages', isAboutErrors(page, top, text)],
      ['search_results', isSearch(urls, page, top, reader)],
    );
  }
  const names = found.filter(([, isFound]) => isFound).map(([signal]) => signal);
  // The text contains the heading. A 404 in the heading must not count twice.
  const isHeaded = names.includes('heading_404') || names.includes('heading_error_404');
  return isHeaded ? names.filter((name) => name !== 'text_404') : names;
}

const headingsRead = 8;
const leadCharsRead = 4_000;
const textCharsRead = 12_000;

const tinyWords = 30;
const shortProseWords = 100;
const shortPlainWords = 250;
const veryShortWords = 80;
const longProseWords = 150;
// Minimum number of subjects, by length of the page. An error page of a server may name the server and its settings.
const subjectsMin = [
  { words: 30, count: 3 },
  { words: 80, count: 2 },
];

// Menus may precede the message of a short page, so its whole text is searched. A statement after the lead may belong
// to something else, such as a comment, and makes the verdict doubtful. A notice above the heading belongs to the page.
function shortTextSignals(page: Page, isOwn: boolean, reader: SentenceReader): [Signal, boolean][] {
  const lead = reader.read(page.leadText.slice(0, leadCharsRead));
  const prelude = reader.read(page.preludeText.slice(0, leadCharsRead));
  const isOfferGone = saysOfferGone(lead) || saysOfferGone(prelude);
  const first = textSignals(lead, isOwn);
  const isStated =
    isOfferGone || first.some(([signal, isFound]) => isFound && signalWeights[signal].isStrong);
  const late = isStated ? [] : lateSignals(page, isOwn, reader);
  return [
    ...first.filter(
      ([signal]) => !(isOfferGone && offerSignals.has(signal)) && !late.some(([name]) => name === signal),
    ),
    ...late,
    ['offer_gone', isOfferGone],
    ['bare_error', page.mainWords <= bareWordsMax && isBareError(lead)],
  ];
}

function lateSignals(page: Page, isOwn: boolean, reader: SentenceReader): [Signal, boolean][] {
  const whole = textSignals(reader.read(page.mainText.slice(0, leadCharsRead)), isOwn);
  const strong = whole.filter(([signal, isFound]) => isFound && signalWeights[signal].isStrong);
  return strong.length > 0 ? [...strong, ['late_statement', true]] : [];
}

const bareWordsMax = 8;
const offerSignals: ReadonlySet<Signal> = new Set<Signal>(['text_gone', 'text_not_found']);

function layoutSignals(page: Page, urls: PageUrls): [Signal, boolean][] {
  const resolve = (href: string | null) => (href === null ? null : resolveOnPage(href, page, urls.finalUrl));
  const [canonical, refresh] = [resolve(page.canonical), resolve(page.refresh)];
  return [
    ['error_page_root', page.rootMarks.some(isErrorMark)],
    ['error_page_mark', [...page.marks].some(isErrorMark)],
    ['canonical_error_page', canonical !== null && errorPath.test(canonical.pathname)],
    ['canonical_elsewhere', canonical !== null && isFrontPage(canonical) && isBelowFront(urls.finalUrl)],
    ['noindex', page.isNoindex],
    ['short_text', page.plainWords <= veryShortWords],
    [
      'front_page_link',
      page.mainLinks.length <= 12 &&
        page.mainLinks.some((href) => !href.startsWith('#') && leadsToFront(resolve(href))),
    ],
    ['redirected_to_front_page', isRedirectedToFront(urls)],
    ['refreshes_elsewhere', refresh !== null && !isFrontPage(refresh) && !errorPath.test(refresh.pathname)],
  ];
}

const errorPath =
  /(?:^|\/)(?:404|not-?found|page-?not-?found|error-?404|404-?(?:error|page|not-?found)?)(?:\.\w+)?\/?$/iu;

// Matches error404, page-not-found and b-404__title. Does not match post-404 and image-not-found.
function isErrorMark(mark: string): boolean {
  if (!errorMarkHints.test(mark)) return false;
  const parts = mark
    .replaceAll(/404|notfound/gu, '-$&-')
    .split(/[-_:]+/u)
    .filter(Boolean);
  if (parts.some((part) => otherMarkParts.has(part))) return false;
  return errorMarkParts.test(parts.join('-'));
}

const errorMarkHints = /404|found|error/u;
const errorMarkParts = /(?:^|-)(?:404|notfound|not-found)(?:-|$)|^(?:error-?page|page-error)$/u;
const otherMarkParts: ReadonlySet<string> = new Set([
  'attachment',
  'avatar',
  'category',
  'comment',
  'icon',
  'id',
  'image',
  'img',
  'item',
  'menu',
  'node',
  'post',
  'postid',
  'product',
  'results',
  'search',
  'tag',
  'term',
  'thumb',
]);

function isAboutErrors(page: Page, top: readonly Sentence[], text: readonly Sentence[]): boolean {
  const named = new Set([...top, ...text].flatMap((sentence) => sentence.subjects)).size;
  const subjects = named + (top.some((sentence) => sentence.isQuestion) ? 1 : 0);
  return subjectsMin.some(({ words, count }) => page.plainWords >= words && subjects >= count);
}

function isSearch(urls: PageUrls, page: Page, top: readonly Sentence[], reader: SentenceReader): boolean {
  const url = parseUrl(urls.finalUrl);
  if (url && (/\/search\b/iu.test(url.pathname) || searchKeys.some((key) => url.searchParams.has(key))))
    return true;
  if (top.some((it) => it.isSearch)) return true;
  const lead = reader.read(page.leadText.slice(0, leadCharsRead));
  return lead.some((it) => it.isSearch && (it.isBare || it.isMissing));
}

const searchKeys = ['q', 's', 'query', 'search', 'keyword', 'keywords', 'wd', 'text', 'k'];

function isBelowFront(address: string): boolean {
  const url = parseUrl(address);
  return url !== null && !isFrontPage(url);
}

function isRedirectedToFront(urls: PageUrls): boolean {
  if (!urls.redirected) return false;
  const final = parseUrl(urls.finalUrl);
  return final !== null && isFrontPage(final) && isBelowFront(urls.url);
}

/** Returns whether a URL is a front page. A site may have a front page for each language: `/de`, `/pt-br/`. */
export function isFrontPage(url: URL): boolean {
  return url.search === '' && frontPath.test(url.pathname);
}

const frontPath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?|(?:index|default)\.\w+|home\/?)?$/iu;

// The host may differ, because a site may have several hosts.
function leadsToFront(url: URL | null): boolean {
  return url !== null && isFrontPage(url);
}
