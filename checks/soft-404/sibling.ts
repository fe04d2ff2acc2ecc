import { parseUrl } from '../../net/url.ts';
import { resolveOnPage } from '../page/canonical.ts';
import type { Page } from '../page/page.ts';
import { countWords } from '../page/words.ts';
import { isFrontPage, type PageUrls } from './signals.ts';
import type { Soft404Verdict } from './soft-404.ts';

/** Response to the sibling, a similar URL that does not exist. `page` is null if it could not be read. */
export type Sibling = { page: Page | null; status: number; finalUrl: string };

/**
 * Returns a similar URL that certainly does not exist on the site; null for a front page. Changes the last path
 * segment, but not its extension. If a script selects the page by a query value, changes this value instead. Numbers
 * stay numbers, so that the URL matches the same route. `random` consists of letters and digits.
 */
export function siblingUrl(url: string, random: string): string | null {
  const address = parseUrl(url);
  if (address === null) return null;
  address.hash = '';
  const key = findPageKey(address);
  if (key !== null) {
    address.searchParams.set(key, alter(address.searchParams.get(key) ?? '', random));
    return address.href;
  }
  const segments = address.pathname.split('/');
  const last = segments.findLastIndex((segment) => segment !== '');
  if (last < 0) return null;
  const [, name = '', extension = ''] = /^(.+?)(\.[a-z][a-z0-9]{0,5})?$/iu.exec(segments[last] ?? '') ?? [];
  segments[last] = alter(name, random) + extension;
  address.pathname = segments.join('/');
  return address.href;
}

/**
 * Returns the similarity of two pages, from 0 to 1. It is the share of three-word sequences that both main texts
 * contain. Words of the URLs are ignored, because error pages often repeat them.
 */
export function computeSimilarity(a: Page, b: Page, addresses: readonly string[] = []): number {
  const runsOfA = toTrigrams(wordsWithout(a.mainText, addresses));
  const runsOfB = toTrigrams(wordsWithout(b.mainText, addresses));
  if (runsOfA.size === 0 || runsOfB.size === 0) return 0;
  const shared = [...runsOfA].filter((run) => runsOfB.has(run)).length;
  return shared / (runsOfA.size + runsOfB.size - shared);
}

/**
 * Compares a page that has a doubtful verdict with its sibling. If the sibling has status 404 or 410, the page is not a
 * soft 404. If the page redirects to the front page, it is a soft 404 if the sibling redirects there too. In all other
 * cases, equal pages are a soft 404, and different pages are not. Short pages are equal only if titles and headings are
 * also equal. If the comparison decides nothing, the verdict stays.
 */
export function decideWithSibling(
  verdict: Soft404Verdict,
  page: Page,
  sibling: Sibling,
  urls: PageUrls,
): Soft404Verdict {
  if (!verdict.isChecked || !verdict.isDoubtful) return verdict;
  const decision = decide(verdict, page, sibling, urls);
  if (decision === null) return { ...verdict, isDoubtful: false };
  const [isSoft404, reason] = decision;
  return { ...verdict, isSoft404, isDoubtful: false, reasons: [...verdict.reasons, reason] };
}

const alikeMin = 0.8;
const unlikeMax = 0.5;
const comparableWords = 50;
const comparedWordsMax = 5_000;
// Maximum length of a text to split. No text of `comparedWordsMax` words is longer.
const comparedCharsMax = 60_000;

// If the path is a script or empty, the query selects the page. Otherwise, the query is a filter or for tracking.
const scriptPath = /\.(?:php\d?|aspx?|jspx?|cgi|pl|cfm|do|exe|dll)$|\/index\.\w+$|^\/$/iu;
const pageKeys = [
  'id',
  'p',
  'page_id',
  'page',
  'slug',
  'name',
  'title',
  'article',
  'product',
  'item',
  'sku',
  'nid',
];

function decide(
  verdict: Soft404Verdict,
  page: Page,
  sibling: Sibling,
  urls: PageUrls,
): [isSoft404: boolean, reason: string] | null {
  if (sibling.status === 404 || sibling.status === 410) return [false, 'sibling_not_found'];
  if (verdict.reasons.includes('redirected_to_front_page')) {
    const final = parseUrl(sibling.finalUrl);
    if (sibling.status === 200 && final !== null && isFrontPage(final))
      return [true, 'sibling_redirected_too'];
    return [false, 'sibling_not_redirected'];
  }
  if (sibling.status !== 200 || sibling.page === null) return null;
  // Some sites find a page by a part of its URL. Both URLs then lead to the same page.
  if (isSamePage(sibling, urls)) return null;
  return compare(page, sibling.page, [urls.url, urls.finalUrl, sibling.finalUrl]);
}

function compare(page: Page, other: Page, addresses: readonly string[]): [boolean, string] | null {
  const similarity = computeSimilarity(page, other, addresses);
  const areComparable = page.mainWords >= comparableWords && other.mainWords >= comparableWords;
  if (areComparable && similarity >= alikeMin) return [true, 'same_as_sibling'];
  if (areComparable && similarity < unlikeMax) return [false, 'unlike_sibling'];
  if (areComparable) return null;
  const top = toHeadText(page, addresses);
  const isSameTop = top === toHeadText(other, addresses);
  if (isSameTop && countWords(top) === 0) return isSameText(page, other, addresses);
  if (isSameTop && similarity >= alikeMin) return [true, 'same_as_sibling'];
  return !isSameTop && similarity < unlikeMax ? [false, 'unlike_sibling'] : null;
}

// Pages without titles and headings are short. Every word must be equal.
function isSameText(page: Page, other: Page, addresses: readonly string[]): [boolean, string] | null {
  const [words, others] = [page, other].map((it) => wordsWithout(it.mainText, addresses).join(' '));
  if (words === '' || others === '') return null;
  return words === others ? [true, 'same_as_sibling'] : [false, 'unlike_sibling'];
}

function isSamePage({ page, finalUrl }: Sibling, urls: PageUrls): boolean {
  const canonical = page?.canonical ? resolveOnPage(page.canonical, page, finalUrl) : null;
  return finalUrl === urls.finalUrl || canonical?.href === urls.finalUrl || canonical?.href === urls.url;
}

function toHeadText(page: Page, addresses: readonly string[]): string {
  const headings = page.headings.filter((heading) => heading.isMain).map((heading) => heading.text);
  return wordsWithout([page.title, ...headings].join(' '), addresses).join(' ');
}

/** Returns the words of a text that are not words of the URLs. */
function wordsWithout(text: string, addresses: readonly string[]): string[] {
  const asked = new Set(addresses.flatMap((address) => toWords(decode(address))));
  return toWords(text).filter((word) => !asked.has(word));
}

function findPageKey(address: URL): string | null {
  const keys = [...address.searchParams.keys()].filter((key) => address.searchParams.get(key) !== '');
  if (keys.length === 0 || !scriptPath.test(address.pathname)) return null;
  return pageKeys.find((key) => keys.includes(key)) ?? keys[0] ?? null;
}

// Numbers become longer, because a number of the same length may be the number of a page.
function alter(value: string, random: string): string {
  const digits = [...random]
    .map((letter) => (letter.codePointAt(0) ?? 0) % 10)
    .join('')
    .slice(0, 6);
  const longer = value.replaceAll(/\d+/gu, (number) => `9${digits}${number}`);
  return /^\d+$/u.test(value) ? longer : `${longer}-${random}`;
}

function toWords(text: string): string[] {
  const words = text
    .slice(0, comparedCharsMax)
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu);
  return (words ?? []).slice(0, comparedWordsMax);
}

function toTrigrams(words: readonly string[]): Set<string> {
  if (words.length < 3) return new Set(words);
  return new Set(words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`));
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
