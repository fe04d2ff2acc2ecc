import { isCanonical } from './canonical.ts';
import { getAttribute, getMarks, rootTags, type Tag } from './tags.ts';
import { collapseSpace } from './words.ts';

/** Part of a page: `<main>`, the edge (nav, header, footer and aside), or the rest of the body. */
export type Zone = 'main' | 'body' | 'edge';

/** Collects what the tags of a page contain: its head, classes and ids, links, scripts and forms. */
export class TagCollector {
  readonly head = {
    title: '',
    ogTitle: '',
    base: null as string | null,
    canonical: null as string | null,
    refresh: null as string | null,
    isNoindex: false,
  };
  readonly links: { href: string; zone: Zone }[] = [];
  readonly rootMarks = new Set<string>();
  readonly marks = new Set<string>();
  readonly counts = { scripts: 0, forms: 0, passwordFields: 0 };
  scriptText = '';
  readonly #classes = new Set<string>();

  add(token: Tag, zone: Zone, isInHead: boolean): void {
    if (token.tagName === 'form') this.counts.forms++;
    if (token.attributes.size === 0) return;
    if (rootTags.has(token.tagName)) this.#mark(this.rootMarks, token);
    else if (!this.#isMarked(token)) this.#mark(this.marks, token);
    if (token.tagName === 'meta') this.#addMeta(token);
    else if (token.tagName === 'base') this.head.base ??= this.#getHref(token);
    else if (token.tagName === 'link' && isInHead) this.#addCanonical(token);
    else if (token.tagName === 'a') this.#addLink(token, zone);
    else if (token.tagName === 'form') this.keepScript(getAttribute(token, 'action'));
    else if (token.tagName === 'input') this.#addInput(token, zone);
  }

  #mark(marks: Set<string>, token: Tag): void {
    if (marks.size < marksMax) for (const mark of getMarks(token)) marks.add(mark);
  }

  /** Returns true if an element has no id, and its classes are empty or those of an earlier element. */
  #isMarked(token: Tag): boolean {
    if (getAttribute(token, 'id') !== '') return false;
    const classes = getAttribute(token, 'class');
    if (classes === '' || this.#classes.has(classes)) return true;
    if (this.#classes.size < marksMax && classes.length <= repeatedCharsMax) this.#classes.add(classes);
    return false;
  }

  /** Records the URL or the beginning of a script, frame or form target. */
  keepScript(text: string): void {
    if (text !== '' && this.scriptText.length < scriptsCharsMax) {
      this.scriptText += `${text.slice(0, attributeCharsMax)}\n`;
    }
  }

  #addMeta(token: Tag): void {
    const name = (getAttribute(token, 'name') || getAttribute(token, 'property')).toLowerCase();
    const content = getAttribute(token, 'content').slice(0, attributeCharsMax);
    if (name === 'og:title') this.head.ogTitle ||= collapseSpace(content);
    if (name === 'robots' || name === 'googlebot') {
      const words = content.toLowerCase().split(/[\s,]+/u);
      this.head.isNoindex ||= words.includes('noindex') || words.includes('none');
    }
    if (getAttribute(token, 'http-equiv').toLowerCase() === 'refresh') {
      this.head.refresh ??= /url\s*=\s*['"]?([^'"]*)/iu.exec(content)?.[1]?.trim() ?? null;
    }
  }

  #addCanonical(token: Tag): void {
    if (isCanonical(getAttribute(token, 'rel'))) this.head.canonical ??= this.#getHref(token);
  }

  #getHref(token: Tag): string | null {
    return getAttribute(token, 'href').trim().slice(0, attributeCharsMax) || null;
  }

  #addLink(token: Tag, zone: Zone): void {
    const href = this.#getHref(token);
    if (href !== null && this.links.length < linksMax) this.links.push({ href, zone });
  }

  // A login form in a header or footer does not make the page a login page.
  #addInput(token: Tag, zone: Zone): void {
    if (zone !== 'edge' && getAttribute(token, 'type').toLowerCase() === 'password')
      this.counts.passwordFields++;
  }
}

const attributeCharsMax = 2_000;
const scriptsCharsMax = 20_000;
const marksMax = 5_000;
const repeatedCharsMax = 200;
const linksMax = 200;
