import type { HTMLElement } from 'node-html-parser';
import type { SerpResult } from '../serp.ts';
import { elementsOf, elementsWithin } from './google-page.ts';
import { resultUrl } from './google-url.ts';

/** What Google has called, over the years, the parts of a page whose entries are no plain web results. */
const BOX_IDS = new Set(['bottomads', 'tvcap', 'mbEnd', 'rhs', 'rhscol', 'lclbox', 'flun']);
const BOX_CLASSES = new Set(
  'ads-ad ads-fr uEierd cu-container pla-unit related-question-pair RzdJxc uVMCKf VibNM sHEJob intrlu Fzsovc'.split(
    ' ',
  ),
);
/** Google's own elements are widgets (carousels, trays, sections with a header), but for these. */
const CONTAINER_TAGS = new Set(['g-card', 'g-flippy-carousel']);
const SNIPPET_CLASSES = new Set('xpdopen kp-blk hp-xpdbox c2xzTb'.split(' '));
const PANEL_CLASSES = new Set('knowledge-panel kno-result kno-kp'.split(' '));
/** Parts of a panel: their links are facts about the subject, unless a result stands inside. */
const MODULE_CLASSES = new Set('wDYxhc mod'.split(' '));
const RESULT_CLASSES = new Set('g rc tF2Cxc'.split(' '));
const CARD_CLASSES = new Set('mnr-c xpd MjjYud ULSxyf Ww4FFb cUezCb ZINbbc Gx5Zad'.split(' '));
/** The title in pages for feature phones, where headings are plain blocks. */
const PLAIN_TITLE_CLASS = 'vvjwJb';

/**
 * Where a result stands: in the list, in a featured snippet (the page it quotes), or in a knowledge panel (the web
 * result some layouts move there).
 */
type Standing = 'list' | 'snippet' | 'panel';

interface Title extends SerpResult {
  standing: Standing;
  isHeading: boolean;
}

interface Place {
  link: string | null;
  standing: Standing;
  isInModule: boolean;
  card: { hasHeader: boolean };
  result: { hasTitle: boolean };
}

/**
 * The organic results of a page, by the one trait all layouts since 2015 share: a heading that is a link, outside the
 * boxes. What stands in a snippet or panel counts unless the list has it too: Google's own ten include it then.
 */
export function findOrganic(page: HTMLElement): { results: SerpResult[]; featuredSnippetUrl: string | null } {
  const titles: Title[] = [];
  const top: Place = {
    link: null,
    standing: 'list',
    isInModule: false,
    card: { hasHeader: false },
    result: { hasTitle: false },
  };
  collectTitles(page, top, titles);
  const hasHeadings = titles.some((title) => title.isHeading && title.standing === 'list');
  const headed = titles.filter((title) => title.isHeading || !hasHeadings);
  const listed = new Set(
    headed.filter((title) => title.standing === 'list').map((title) => withoutFragment(title.url)),
  );
  const results = headed.filter(
    (title) => title.standing === 'list' || !listed.has(withoutFragment(title.url)),
  );
  return {
    results: results.map(({ url, title }) => ({ url, title })),
    featuredSnippetUrl: titles.find((title) => title.standing === 'snippet')?.url ?? null,
  };
}

function collectTitles(node: HTMLElement, place: Place, titles: Title[]): void {
  const tag = node.rawTagName?.toLowerCase() ?? '';
  const classes = node.classList.value;
  if (tag === 'g-tray-header') place.card.hasHeader = true;
  if (isBox(node, tag, classes)) return;
  // Sitelinks: a table under the title of the result they belong to.
  if (tag === 'table' && place.result.hasTitle) return;
  if (isTitle(node, tag, classes)) {
    noteTitle(node, tag, place, titles);
    return;
  }
  const here = within(node, tag, classes, place);
  for (const child of elementsOf(node)) collectTitles(child, here, titles);
  if (here.result.hasTitle) place.result.hasTitle = true;
}

function isBox(node: HTMLElement, tag: string, classes: string[]): boolean {
  if (tag.startsWith('g-') && !CONTAINER_TAGS.has(tag)) return true;
  if (BOX_IDS.has(node.id) || node.id.startsWith('tads')) return true;
  // Text ads, and the questions people also ask.
  if (/\bdata-(text-ad|q)(=|\s|$)/.test(node.rawAttrs)) return true;
  return classes.some((name) => BOX_CLASSES.has(name) || name.startsWith('commercial-unit'));
}

function isTitle(node: HTMLElement, tag: string, classes: string[]): boolean {
  if (tag === 'h3' || classes.includes(PLAIN_TITLE_CLASS)) return true;
  return node.rawAttrs.includes('heading') && node.getAttribute('role') === 'heading';
}

function noteTitle(node: HTMLElement, tag: string, place: Place, titles: Title[]): void {
  const url = place.link ?? (tag === 'h3' ? linkWithin(node) : null);
  if (url === null) {
    // A heading that leads nowhere is the header of a box, and what follows in that card are its entries; but the
    // quotation in a featured snippet is marked as a heading too.
    place.card.hasHeader ||= !node.rawAttrs.includes('data-attrid');
  } else if (!place.card.hasHeader && (!place.isInModule || (place.standing === 'snippet' && tag === 'h3'))) {
    const title = node.text.replace(/\s+/g, ' ').trim();
    titles.push({
      url,
      title,
      standing: place.standing,
      isHeading: !node.classList.contains(PLAIN_TITLE_CLASS),
    });
    place.result.hasTitle = true;
  }
}

function within(node: HTMLElement, tag: string, classes: string[], place: Place): Place {
  const hasOne = (names: Set<string>) => classes.some((name) => names.has(name));
  const isResult = hasOne(RESULT_CLASSES);
  const isCard = isResult || tag === 'g-card' || hasOne(CARD_CLASSES);
  return {
    link: tag === 'a' ? resultUrl(node.getAttribute('href') ?? '') : place.link,
    standing: standingWithin(classes, place.standing, hasOne),
    isInModule: !isResult && (place.isInModule || hasOne(MODULE_CLASSES)),
    card: isCard ? { hasHeader: false } : place.card,
    result: isResult ? { hasTitle: false } : place.result,
  };
}

function standingWithin(
  classes: string[],
  outer: Standing,
  hasOne: (names: Set<string>) => boolean,
): Standing {
  // A panel over the whole page has the list of results on one of its tabs.
  if (classes.includes('kp-wholepage')) return outer;
  if (classes.includes('c2xzTb')) return 'snippet';
  if (outer === 'list' && hasOne(PANEL_CLASSES)) return 'panel';
  return outer === 'list' && hasOne(SNIPPET_CLASSES) ? 'snippet' : outer;
}

function linkWithin(node: HTMLElement): string | null {
  const link = elementsWithin(node).find((element) => element.rawTagName.toLowerCase() === 'a');
  if (link === undefined || link.parentNode?.rawTagName === 'g-link') return null;
  return resultUrl(link.getAttribute('href') ?? '');
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
