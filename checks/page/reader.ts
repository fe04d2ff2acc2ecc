import type { Budget } from './budget.ts';
import type { MarkupHandler } from './markup.ts';
import { TagCollector, type Zone } from './tag-collector.ts';
import {
  foreignEndingTags,
  foreignTags,
  getAttribute,
  headTags,
  inlineTags,
  isBoilerplate,
  isSkipped,
  rawTags,
  type Tag,
  voidTags,
} from './tags.ts';
import { collapseLines, collapseSpace, countWords, lineBreak, needsSpace } from './words.ts';

/** Block of the layout. `level` is 1 to 3 for a heading, and 0 for other blocks. */
export type Block = { text: string; words: number; linkWords: number; zone: Zone; level: number };

/**
 * Collects the blocks of a page from its tags and texts. To find the end of a region such as `<nav>`, counts open tags
 * and builds no tree. The count is exact for well-formed pages. A count needs no stack, which a hostile page could
 * fill.
 */
export class PageReader implements MarkupHandler {
  readonly budget: Budget;
  readonly tags = new TagCollector();
  readonly blocks: Block[] = [];
  noscriptText = '';
  keptChars = 0;
  /** Number of words in blocks of prose so far. Excludes nav, header, footer and aside. */
  proseWords = 0;

  #isInHead = true;
  #hidden: Region | null = null;
  #edge: Region | null = null;
  #main: Region | null = null;
  #articles = 0;
  #rawTag = '';
  #raw = '';
  #text = '';
  #lastChar = '';
  #linkText = '';
  #isInLink = false;
  #isAfterTag = false;
  #level = 0;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  get isForeign(): boolean {
    return this.#hidden !== null && foreignTags.has(this.#hidden.tag);
  }

  onStartTag(token: Tag): void {
    const tag = token.tagName;
    this.budget.visit(tagChars + token.attributeCount * attributeChars);
    if (this.isForeign && foreignEndingTags.has(tag)) this.#hidden = null;
    // Elements in `<noscript>` and `<template>` do not end the head.
    if (!this.#hidden && !headTags.has(tag)) this.#isInHead = false;
    if (rawTags.has(tag) && !this.isForeign) this.#startRaw(token);
    else if (this.#hidden) countOpened(this.#hidden, tag);
    else if (isSkipped(token)) this.#hide(token);
    else this.#open(token);
  }

  onEndTag(tag: string): void {
    this.budget.visit(tagChars);
    if (this.#rawTag !== '') this.#endRaw();
    else if (this.#hidden) this.#hidden = countClosed(this.#hidden, tag);
    else this.#close(tag);
  }

  onText(text: string): void {
    if (this.#rawTag !== '') this.#addRaw(text);
    else if (!this.#hidden) this.#addText(text);
    else if (this.#hidden.tag === 'noscript') this.noscriptText = append(this.noscriptText, text);
  }

  end(): void {
    if (this.#rawTag !== '') this.#endRaw();
    this.#keepBlock();
  }

  #zone(): Zone {
    if (this.#edge) return 'edge';
    return this.#main ? 'main' : 'body';
  }

  #startRaw(token: Tag): void {
    this.#rawTag = token.tagName;
    this.#raw = '';
    if (token.tagName === 'script') this.tags.counts.scripts++;
    this.tags.keepScript(getAttribute(token, 'src'));
  }

  #addRaw(chars: string): void {
    this.#raw = append(this.#raw, chars);
  }

  #endRaw(): void {
    if (this.#rawTag === 'title' && !this.#hidden) this.tags.head.title ||= collapseSpace(this.#raw);
    if (this.#rawTag === 'script') this.tags.keepScript(this.#raw);
    this.#rawTag = '';
  }

  #hide(token: Tag): void {
    if (!inlineTags.has(token.tagName)) this.#breakBlock();
    if (!token.selfClosing || !foreignTags.has(token.tagName))
      this.#hidden = { tag: token.tagName, depth: 1 };
  }

  #open(token: Tag): void {
    const tag = token.tagName;
    this.tags.add(token, this.#zone(), this.#isInHead);
    if (tag === 'a') this.#startLink(token);
    if (tag === 'br') this.#addText(lineBreak);
    else if (headingLevels.has(tag)) this.#startHeading(tag);
    else if (!inlineTags.has(tag)) this.#breakBlock();
    this.#isAfterTag = true;
    if (tag === 'article') this.#articles++;
    if (this.#main) countOpened(this.#main, tag);
    else if (tag === 'main' || getAttribute(token, 'role') === 'main') this.#startMain(tag);
    if (this.#edge) countOpened(this.#edge, tag);
    else if (this.#isEdge(token)) this.#edge = { tag, depth: 1 };
  }

  #close(tag: string): void {
    if (tag === 'a') this.#isInLink = false;
    this.#isAfterTag = true;
    if (headingLevels.has(tag)) this.#endBlock();
    else if (!inlineTags.has(tag)) this.#breakBlock();
    if (tag === 'article' && this.#articles > 0) this.#articles--;
    if (this.#edge) this.#edge = countClosed(this.#edge, tag);
    if (this.#main) this.#main = countClosed(this.#main, tag);
  }

  #startLink(token: Tag): void {
    this.#isInLink = getAttribute(token, 'href').trim() !== '';
    this.#linkText += ' ';
  }

  #startHeading(tag: string): void {
    this.#endBlock();
    this.#level = headingLevels.get(tag) ?? 0;
  }

  #startMain(tag: string): void {
    this.#main = { tag, depth: 1 };
    this.#edge = null;
  }

  // The header of a page contains its logo and menus. The header of an article contains its title, and is not an edge.
  #isEdge(token: Tag): boolean {
    const isOutside = !this.#main && this.#articles === 0;
    if (token.tagName === 'header' || token.tagName === 'footer') return isOutside;
    if (voidTags.has(token.tagName)) return false;
    return isBoilerplate(token);
  }

  // A heading with several blocks inside is still one heading.
  #breakBlock(): void {
    if (this.#level > 0 && this.#text.length <= headingCharsMax) this.#addText(' ');
    else this.#endBlock();
  }

  // After the last allowed block, all remaining text becomes one block.
  #endBlock(): void {
    if (this.blocks.length < blocksMax) this.#keepBlock();
    else this.#addText(' ');
  }

  #keepBlock(): void {
    this.budget.visit(this.#text.length + this.#linkText.length);
    const text =
      this.#level > 0 ? collapseSpace(this.#text.replaceAll(lineBreak, ' ')) : collapseLines(this.#text);
    if (text !== '') {
      const level = text.length <= headingCharsMax ? this.#level : 0;
      const linkWords = this.#linkText === '' ? 0 : countWords(this.#linkText);
      const block = { text, words: countWords(text), linkWords, zone: this.#zone(), level };
      this.blocks.push(block);
      this.keptChars += text.length;
      if (block.zone !== 'edge') this.proseWords += countProseWords(block);
    }
    this.#text = '';
    this.#linkText = '';
    this.#lastChar = '';
    this.#level = 0;
  }

  // The last character is stored separately. To read it from `#text`, all pieces of the text would be joined.
  #addText(chars: string): void {
    if (this.#isInHead && chars.trim() !== '') this.#isInHead = false;
    const isGlued = this.#isAfterTag && needsSpace(this.#lastChar, chars.charAt(0));
    const added = isGlued ? ` ${chars}` : chars;
    this.#text += added;
    if (this.#isInLink) this.#linkText += added;
    this.#lastChar = chars.charAt(chars.length - 1);
    this.#isAfterTag = false;
  }
}

/** Returns the number of words outside of links. Returns 0 for fewer than 20 words, because running prose is longer. */
export function countProseWords({ words, linkWords }: Block): number {
  return words - linkWords >= proseBlockWords ? words - linkWords : 0;
}

const proseBlockWords = 20;

const headingLevels: ReadonlyMap<string, number> = new Map(
  ['h1', 'h2', 'h3'].map((tag, index) => [tag, index + 1]),
);
// Cost of a tag and of each attribute. Their characters cost extra.
const tagChars = 10;
const attributeChars = 10;
const headingCharsMax = 300;
const rawTextCharsMax = 2_000;
const blocksMax = 4_000;

function append(text: string, chars: string): string {
  return text.length < rawTextCharsMax ? text + chars.slice(0, rawTextCharsMax - text.length) : text;
}

/** An element that is still open. `depth` counts the open elements with its tag, including itself. */
export type Region = { tag: string; depth: number };

export function countOpened(region: Region, tag: string): void {
  if (region.tag === tag) region.depth++;
}

/** Counts an element that closes in a region. Returns null when the region itself has closed. */
export function countClosed(region: Region, tag: string): Region | null {
  if (region.tag === tag) region.depth--;
  return region.depth > 0 ? region : null;
}
