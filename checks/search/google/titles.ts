import type { HTMLElement } from 'node-html-parser';
import type { SerpResult } from '../serp.ts';
import { elementsOf, elementsWithin } from './page.ts';
import { hidesAddress, resultUrl } from './url.ts';
import { typeOfVed } from './ved.ts';

type Role = 'box' | 'snippet' | 'panel' | 'whole-page' | 'module' | 'result' | 'card' | 'plain-title';

/**
 * Google's names for the parts of a page since 2015. A box holds no plain web results; a snippet quotes
 * one, a panel may hold one; a module of a panel holds facts, unless a result stands in it. Titles in pages
 * for feature phones are plain blocks.
 */
const classes: Record<Role, string> = {
  box: 'dFd2Tb PmEWq ads-ad ads-fr uEierd cu-container pla-unit related-question-pair RzdJxc uVMCKf VibNM sHEJob intrlu Fzsovc',
  snippet: 'xpdopen kp-blk hp-xpdbox c2xzTb',
  panel: 'knowledge-panel kno-result kno-kp',
  'whole-page': 'kp-wholepage',
  module: 'wDYxhc mod',
  result: 'g rc tF2Cxc',
  card: 'mnr-c xpd MjjYud ULSxyf Ww4FFb cUezCb ZINbbc Gx5Zad',
  'plain-title': 'vvjwJb',
};
const roleOfClass = new Map(
  Object.entries(classes).flatMap(([role, names]) => names.split(' ').map((name) => [name, role as Role])),
);
const noRoles = new Set<Role>();
const boxIds = new Set(['bottomads', 'tvcap', 'mbEnd', 'rhs', 'rhscol', 'lclbox', 'flun']);
/** Google's own elements are widgets (carousels, trays, sections with a header), but for these. */
const containerTags = new Set(['g-card', 'g-flippy-carousel']);
/** No link of Google's comes near. */
const linkCharsMax = 16_384;

/**
 * A heading that is a link, outside the boxes: an organic result, or something that is made to look like one.
 */
export interface Title extends SerpResult {
  /** In the list, or where Google has put a web result instead. */
  standing: 'list' | 'snippet' | 'panel';
  /** A heading of HTML, one by its role, or a plain block as on pages for feature phones. */
  form: 'h3' | 'heading' | 'block';
  /** Google's type of the link (`ved.ts`); null where it does not say. */
  type: number | null;
  /** Google does not tell the address; `url` is then the link as it stands. */
  isHidden: boolean;
}

type Link = Pick<Title, 'url' | 'type' | 'isHidden'>;

interface Place {
  link: Link | null;
  standing: Title['standing'];
  isInModule: boolean;
  card: { hasHeader: boolean };
  result: { hasTitle: boolean };
}

/** Every title of a page, from top to bottom: the one trait that results share in all layouts since 2015. */
export function titlesOf(page: HTMLElement): Title[] {
  const titles: Title[] = [];
  const card = { hasHeader: false };
  const result = { hasTitle: false };
  collectTitles(page, { link: null, standing: 'list', isInModule: false, card, result }, titles);
  return titles;
}

function collectTitles(node: HTMLElement, place: Place, titles: Title[]): void {
  const tag = node.rawTagName?.toLowerCase() ?? '';
  const roles = rolesOf(node);
  if (tag === 'g-tray-header') place.card.hasHeader = true;
  if (roles.has('box') || isBox(node, tag)) return;
  // Sitelinks: a table under the title of the result they belong to.
  if (tag === 'table' && place.result.hasTitle) return;
  if (isTitle(node, tag, roles)) {
    noteTitle(node, tag, roles, place, titles);
    return;
  }
  const here = within(node, tag, roles, place);
  for (const child of elementsOf(node)) collectTitles(child, here, titles);
  if (here.result.hasTitle) place.result.hasTitle = true;
}

function rolesOf(node: HTMLElement): Set<Role> {
  if (node.classList.length === 0) return noRoles;
  const roles = new Set<Role>();
  for (const name of node.classList.value) {
    const role = roleOfClass.get(name);
    if (role !== undefined) roles.add(role);
    else if (name.startsWith('commercial-unit')) roles.add('box');
  }
  return roles;
}

function isBox(node: HTMLElement, tag: string): boolean {
  if ((tag.startsWith('g-') && !containerTags.has(tag)) || tag === 'video-voyager') return true;
  if (boxIds.has(node.id) || node.id.startsWith('tads')) return true;
  // Text ads, and the questions people also ask.
  return /\bdata-(text-ad|q)(=|\s|$)/.test(node.rawAttrs);
}

function isTitle(node: HTMLElement, tag: string, roles: Set<Role>): boolean {
  if (tag === 'h3' || roles.has('plain-title')) return true;
  return node.rawAttrs.includes('heading') && node.getAttribute('role') === 'heading';
}

function noteTitle(node: HTMLElement, tag: string, roles: Set<Role>, place: Place, titles: Title[]): void {
  const link = place.link ?? (tag === 'h3' ? linkWithin(node) : null);
  const isQuotation = node.rawAttrs.includes('data-attrid');
  if (link === null) {
    // A heading that leads nowhere is the header of a box, and what follows in that card are its entries; but
    // the quotation in a featured snippet is marked as a heading too.
    if (!isQuotation) place.card.hasHeader = true;
    return;
  }
  const isFact = place.isInModule && !(place.standing === 'snippet' && tag === 'h3');
  if (place.card.hasHeader || isFact) return;
  const title = node.text.replace(/\s+/g, ' ').trim();
  titles.push({ ...link, title, standing: place.standing, form: formOf(tag, roles) });
  place.result.hasTitle = true;
}

function formOf(tag: string, roles: Set<Role>): Title['form'] {
  if (roles.has('plain-title')) return 'block';
  return tag === 'h3' ? 'h3' : 'heading';
}

function within(node: HTMLElement, tag: string, roles: Set<Role>, place: Place): Place {
  const isResult = roles.has('result');
  const isCard = isResult || roles.has('card') || tag === 'g-card';
  return {
    link: tag === 'a' ? linkOf(node) : place.link,
    standing: standingWithin(node, roles, place.standing),
    isInModule: !isResult && (place.isInModule || roles.has('module')),
    card: isCard ? { hasHeader: false } : place.card,
    result: isResult ? { hasTitle: false } : place.result,
  };
}

function standingWithin(node: HTMLElement, roles: Set<Role>, outer: Place['standing']): Place['standing'] {
  // A panel over the whole page has the list of results on one of its tabs.
  if (roles.has('whole-page')) return outer;
  // On phones a snippet is laid out as a panel, but for this.
  if (node.classList.contains('c2xzTb')) return 'snippet';
  if (outer !== 'list') return outer;
  if (roles.has('panel')) return 'panel';
  return roles.has('snippet') ? 'snippet' : 'list';
}

function linkWithin(node: HTMLElement): Link | null {
  const link = elementsWithin(node).find((element) => element.rawTagName.toLowerCase() === 'a');
  return link === undefined || link.parentNode?.rawTagName === 'g-link' ? null : linkOf(link);
}

function linkOf(link: HTMLElement): Link | null {
  if (link.rawAttrs.length > linkCharsMax) return null;
  const href = link.getAttribute('href') ?? '';
  const isHidden = hidesAddress(href);
  const url = isHidden ? href : resultUrl(href);
  if (url === null) return null;
  const ved =
    link.getAttribute('data-ved') ?? /[?&]ved=([\w-]+)/.exec(link.getAttribute('ping') ?? href)?.[1];
  return { url, isHidden, type: ved === undefined ? null : typeOfVed(ved) };
}
