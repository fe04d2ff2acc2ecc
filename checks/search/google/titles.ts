import type { HTMLElement } from 'node-html-parser';
import type { SerpResult } from '../serp.ts';
import { childElements, descendantElements } from './page.ts';
import { isUrlHidden, toResultUrl } from './url.ts';
import { parseVedType } from './ved.ts';

type Role = 'box' | 'snippet' | 'panel' | 'whole-page' | 'module' | 'result' | 'card' | 'plain-title';

/**
 * Google's class names for the parts of a page since 2015. A box has no web results. A snippet quotes a web result. A
 * panel may contain a web result. A module of a panel contains facts, or a result. On pages for feature phones, titles
 * are plain blocks.
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
/**
 * Google's custom elements (`g-…`) that may contain results. All other custom elements are widgets, such as carousels,
 * trays and sections with a header.
 */
const containerTags = new Set(['g-card', 'g-flippy-carousel']);
/** Far longer than any link of Google. */
const linkCharsMax = 16_384;

/** A heading with a link, outside of boxes: an organic result, or an element that looks like one. */
export interface Title extends SerpResult {
  section: 'list' | 'snippet' | 'panel';
  /** `<h3>`, an element with the role of a heading, or a plain block as on pages for feature phones. */
  form: 'h3' | 'heading' | 'block';
  /** Google's type of the link (`ved.ts`); null if unknown. */
  type: number | null;
  /** True if Google hides the URL; `url` is then the link as written. */
  isHidden: boolean;
}

type Link = Pick<Title, 'url' | 'type' | 'isHidden'>;

interface TitleContext {
  link: Link | null;
  section: Title['section'];
  isInModule: boolean;
  card: { hasHeader: boolean };
  result: { hasTitle: boolean };
}

/** Returns all titles of a page, from top to bottom. Results have titles in all layouts since 2015. */
export function findTitles(page: HTMLElement): Title[] {
  const titles: Title[] = [];
  const card = { hasHeader: false };
  const result = { hasTitle: false };
  collectTitles(page, { link: null, section: 'list', isInModule: false, card, result }, titles);
  return titles;
}

function collectTitles(node: HTMLElement, context: TitleContext, titles: Title[]): void {
  const tag = node.rawTagName?.toLowerCase() ?? '';
  const roles = getRoles(node);
  if (tag === 'g-tray-header') context.card.hasHeader = true;
  if (roles.has('box') || isBox(node, tag)) return;
  // Sitelinks are a table below the title of their result.
  if (tag === 'table' && context.result.hasTitle) return;
  if (isTitle(node, tag, roles)) {
    addTitle(node, tag, roles, context, titles);
    return;
  }
  const here = enterElement(node, tag, roles, context);
  for (const child of childElements(node)) collectTitles(child, here, titles);
  if (here.result.hasTitle) context.result.hasTitle = true;
}

function getRoles(node: HTMLElement): Set<Role> {
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
  // Text ads, and "People also ask".
  return /\bdata-(text-ad|q)(=|\s|$)/.test(node.rawAttrs);
}

function isTitle(node: HTMLElement, tag: string, roles: Set<Role>): boolean {
  if (tag === 'h3' || roles.has('plain-title')) return true;
  return node.rawAttrs.includes('heading') && node.getAttribute('role') === 'heading';
}

function addTitle(
  node: HTMLElement,
  tag: string,
  roles: Set<Role>,
  context: TitleContext,
  titles: Title[],
): void {
  const link = context.link ?? (tag === 'h3' ? findLink(node) : null);
  const isQuotation = node.rawAttrs.includes('data-attrid');
  if (link === null) {
    // A heading without a link is the header of a box. The other titles of the card are its entries. The quotation in a
    // featured snippet is also marked as a heading.
    if (!isQuotation) context.card.hasHeader = true;
    return;
  }
  const isFact = context.isInModule && !(context.section === 'snippet' && tag === 'h3');
  if (context.card.hasHeader || isFact) return;
  const title = node.text.replace(/\s+/g, ' ').trim();
  titles.push({ ...link, title, section: context.section, form: toForm(tag, roles) });
  context.result.hasTitle = true;
}

function toForm(tag: string, roles: Set<Role>): Title['form'] {
  if (roles.has('plain-title')) return 'block';
  return tag === 'h3' ? 'h3' : 'heading';
}

function enterElement(node: HTMLElement, tag: string, roles: Set<Role>, context: TitleContext): TitleContext {
  const isResult = roles.has('result');
  const isCard = isResult || roles.has('card') || tag === 'g-card';
  return {
    link: tag === 'a' ? readLink(node) : context.link,
    section: enterSection(node, roles, context.section),
    isInModule: !isResult && (context.isInModule || roles.has('module')),
    card: isCard ? { hasHeader: false } : context.card,
    result: isResult ? { hasTitle: false } : context.result,
  };
}

function enterSection(node: HTMLElement, roles: Set<Role>, outer: Title['section']): Title['section'] {
  // A panel over the whole page contains the list of results in one of its tabs.
  if (roles.has('whole-page')) return outer;
  // On phones, only this class distinguishes a snippet from a panel.
  if (node.classList.contains('c2xzTb')) return 'snippet';
  if (outer !== 'list') return outer;
  if (roles.has('panel')) return 'panel';
  return roles.has('snippet') ? 'snippet' : 'list';
}

function findLink(node: HTMLElement): Link | null {
  const link = descendantElements(node).find((element) => element.rawTagName.toLowerCase() === 'a');
  return link === undefined || link.parentNode?.rawTagName === 'g-link' ? null : readLink(link);
}

function readLink(link: HTMLElement): Link | null {
  if (link.rawAttrs.length > linkCharsMax) return null;
  const href = link.getAttribute('href') ?? '';
  const isHidden = isUrlHidden(href);
  const url = isHidden ? href : toResultUrl(href);
  if (url === null) return null;
  const ved =
    link.getAttribute('data-ved') ?? /[?&]ved=([\w-]+)/.exec(link.getAttribute('ping') ?? href)?.[1];
  return { url, isHidden, type: ved === undefined ? null : parseVedType(ved) };
}
