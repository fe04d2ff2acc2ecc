import { parseUrl } from '../../net/url.ts';
import { resolveOnPage } from '../page/canonical.ts';
import { isFrontPage } from '../page/front-page.ts';
import type { Page } from '../page/page.ts';
import { countWords } from '../page/words.ts';
import type { Where } from './signals.ts';
import type { Soft404Verdict } from './soft-404.ts';

/** What came back for the sibling: its page (null if it could not be read), status and final address. */
export type Sibling = { page: Page | null; status: number; finalUrl: string };

/**
 * An address beside this one that nobody has published: the last path segment changed, its extension kept, or
 * the query value where a script chooses the page by one. Numbers stay numbers, so that a router which knows
 * its ids by their digits lets them through to the page it would show. `random`: some letters and digits.
 * Null for a front page.
 */
export function siblingUrl(url: string, random: string): string | null {
  const address = parseUrl(url);
  if (address === null) return null;
  address.hash = '';
  const key = choosingKey(address);
  if (key !== null) {
    address.searchParams.set(key, altered(address.searchParams.get(key) ?? '', random));
    return address.href;
  }
  const segments = address.pathname.split('/');
  const last = segments.findLastIndex((segment) => segment !== '');
  if (last < 0) return null;
  const [, name = '', extension = ''] = /^(.+?)(\.[a-z][a-z0-9]{0,5})?$/iu.exec(segments[last] ?? '') ?? [];
  segments[last] = altered(name, random) + extension;
  address.pathname = segments.join('/');
  return address.href;
}

/**
 * How much two pages say the same, from 0 to 1: the share of their main texts' runs of three words that both
 * have. Words of the two addresses are left out first, for error pages like to repeat what was asked for.
 */
export function resemblance(a: Page, b: Page, addresses: readonly string[] = []): number {
  const asked = new Set(addresses.flatMap((address) => wordsOf(decoded(address))));
  const runsOfA = runs(wordsOf(a.mainText).filter((word) => !asked.has(word)));
  const runsOfB = runs(wordsOf(b.mainText).filter((word) => !asked.has(word)));
  if (runsOfA.size === 0 || runsOfB.size === 0) return 0;
  const shared = [...runsOfA].filter((run) => runsOfB.has(run)).length;
  return shared / (runsOfA.size + runsOfB.size - shared);
}

/**
 * A doubtful verdict after a look at the sibling; any other is returned as it is. A site that answers the
 * sibling with 404 or 410 does so for missing pages, hence hardly tells of one under 200. A redirect to the
 * front page is a soft 404 exactly if the sibling goes there too. Otherwise the same page for both addresses
 * is one, a different page is none; short pages are the same only if titles and headings agree as well. What
 * decides nothing leaves the verdict.
 */
export function decideWithSibling(
  verdict: Soft404Verdict,
  page: Page,
  sibling: Sibling,
  where: Where,
): Soft404Verdict {
  if (!verdict.isChecked || !verdict.isDoubtful) return verdict;
  const decision = decide(verdict, page, sibling, where);
  if (decision === null) return { ...verdict, isDoubtful: false };
  const [isSoft404, reason] = decision;
  return { ...verdict, isSoft404, isDoubtful: false, reasons: [...verdict.reasons, reason] };
}

const alikeMin = 0.8;
const unlikeMax = 0.5;
const tellingWords = 50;
const comparedWordsMax = 5_000;
// Cut before the work: what follows could not count.
const comparedCharsMax = 60_000;

// Where the path names a script or nothing, the query chooses the page; elsewhere it only filters or tracks.
const scriptPath = /\.(?:php\d?|aspx?|jspx?|cgi|pl|cfm|do|exe|dll)$|\/index\.\w+$|^\/$/iu;
const choosingKeys = [
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
  where: Where,
): [isSoft404: boolean, reason: string] | null {
  if (sibling.status === 404 || sibling.status === 410) return [false, 'sibling_not_found'];
  if (verdict.reasons.includes('redirected_to_front_page')) {
    const final = parseUrl(sibling.finalUrl);
    if (sibling.status === 200 && final !== null && isFrontPage(final))
      return [true, 'sibling_redirected_too'];
    return [false, 'sibling_not_redirected'];
  }
  if (sibling.status !== 200 || sibling.page === null) return null;
  // A site that finds a page by part of its address has found the same one again.
  if (isSamePage(sibling, where)) return null;
  return compare(page, sibling.page, [where.url, where.finalUrl, sibling.finalUrl]);
}

function compare(page: Page, other: Page, addresses: readonly string[]): [boolean, string] | null {
  const likeness = resemblance(page, other, addresses);
  const isTelling = page.mainWords >= tellingWords && other.mainWords >= tellingWords;
  if (isTelling && likeness >= alikeMin) return [true, 'same_as_sibling'];
  if (isTelling && likeness < unlikeMax) return [false, 'unlike_sibling'];
  if (isTelling) return null;
  const top = topOf(page, addresses);
  const isSameTop = top === topOf(other, addresses);
  if (isSameTop && countWords(top) === 0) return isSameText(page, other, addresses);
  if (isSameTop && likeness >= alikeMin) return [true, 'same_as_sibling'];
  return !isSameTop && likeness < unlikeMax ? [false, 'unlike_sibling'] : null;
}

// Without titles and headings every word counts, for there are few.
function isSameText(page: Page, other: Page, addresses: readonly string[]): [boolean, string] | null {
  const [words, others] = [page, other].map((it) => plainWordsOf(it.mainText, addresses));
  if (words === '' || others === '') return null;
  return words === others ? [true, 'same_as_sibling'] : [false, 'unlike_sibling'];
}

function isSamePage({ page, finalUrl }: Sibling, where: Where): boolean {
  const canonical = page?.canonical ? resolveOnPage(page.canonical, page, finalUrl) : null;
  return finalUrl === where.finalUrl || canonical?.href === where.finalUrl || canonical?.href === where.url;
}

function topOf(page: Page, addresses: readonly string[]): string {
  const headings = page.headings.filter((heading) => heading.isMain).map((heading) => heading.text);
  return plainWordsOf([page.title, ...headings].join(' '), addresses);
}

/** The words of a text, those of the addresses left out. */
function plainWordsOf(text: string, addresses: readonly string[]): string {
  const asked = new Set(addresses.flatMap((address) => wordsOf(decoded(address))));
  return wordsOf(text)
    .filter((word) => !asked.has(word))
    .join(' ');
}

function choosingKey(address: URL): string | null {
  const keys = [...address.searchParams.keys()].filter((key) => address.searchParams.get(key) !== '');
  if (keys.length === 0 || !scriptPath.test(address.pathname)) return null;
  return choosingKeys.find((key) => keys.includes(key)) ?? keys[0] ?? null;
}

// Longer numbers, for a number of the same length may well be the next page of the site.
function altered(value: string, random: string): string {
  const digits = [...random]
    .map((letter) => (letter.codePointAt(0) ?? 0) % 10)
    .join('')
    .slice(0, 6);
  const longer = value.replaceAll(/\d+/gu, (number) => `9${digits}${number}`);
  return /^\d+$/u.test(value) ? longer : `${longer}-${random}`;
}

function wordsOf(text: string): string[] {
  const words = text
    .slice(0, comparedCharsMax)
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu);
  return (words ?? []).slice(0, comparedWordsMax);
}

function runs(words: readonly string[]): Set<string> {
  if (words.length < 3) return new Set(words);
  return new Set(words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`));
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
