import { type Block, countProseWords, type PageReader } from './reader.ts';
import type { Zone } from './tag-collector.ts';

/**
 * Content and structure of a page, as far as the verdict needs them. Text is the text that a browser without scripts
 * shows. White space is collapsed. Each block of the layout is one line.
 */
export type Page = {
  /** True if only a part of the page was read. */
  isCut: boolean;
  /** Content of the first `<title>`; '' if it is missing. */
  title: string;
  /** `og:title`; '' if it is missing. */
  ogTitle: string;
  /** `href` of the first `<base>`, not resolved; null if it is missing. */
  base: string | null;
  /** `href` of the first `link rel=canonical` in the head, not resolved; null if it is missing. */
  canonical: string | null;
  /** URL of `meta http-equiv=refresh`, not resolved; null if it is missing. */
  refresh: string | null;
  /** True if a robots meta tag contains `noindex` or `none`. */
  isNoindex: boolean;
  /** h1 to h3, in page order. Includes headings in nav, header, footer and aside. */
  headings: readonly Heading[];
  /** Text of `<main>`. If it is missing, the text outside of nav, header, footer and aside. */
  mainText: string;
  /** Main text before its heading, such as menus and notices; '' if there is no heading. */
  preludeText: string;
  /**
   * Beginning of the main text, from its heading on. If the text has more than `leadWords` words, excludes blocks that
   * contain only links.
   */
  leadText: string;
  mainWords: number;
  /** Number of words of the main text, from its heading on. Excludes links. */
  plainWords: number;
  /** Number of `plainWords` in blocks of at least 20 words. */
  proseWords: number;
  text: string;
  words: number;
  noscriptText: string;
  /** Classes and ids of `<html>` and `<body>`, lower case. */
  rootMarks: readonly string[];
  /** Classes and ids of other visible elements, lower case, each once. */
  marks: ReadonlySet<string>;
  /** `href` of the first links in the main text. */
  mainLinks: readonly string[];
  /** URLs or first characters of scripts, frames and form targets, one per line. */
  scriptText: string;
  /** Excludes password fields in nav, header, footer and aside. */
  counts: {
    scripts: number;
    forms: number;
    passwordFields: number;
  };
};

/** `level` is 1 to 3. `isMain` is true for a heading in the main text. */
type Heading = { level: number; text: string; isMain: boolean };

export function toPage(reader: PageReader, isCut: boolean): Page {
  const zone = mainZone(reader.blocks);
  reader.budget.visit(reader.keptChars);
  const main = reader.blocks.filter((block) => block.zone === zone);
  const start = findStart(main);
  const body = main.slice(start);
  return {
    isCut,
    ...reader.tags.head,
    headings: toHeadings(reader.blocks, zone),
    mainText: joinTexts(main),
    preludeText: joinTexts(main.slice(0, start)),
    leadText: toLead(body),
    mainWords: sum(main, (block) => block.words),
    plainWords: sum(body, (block) => block.words - block.linkWords),
    proseWords: sum(body, countProseWords),
    text: joinTexts(reader.blocks),
    words: sum(reader.blocks, (block) => block.words),
    noscriptText: reader.noscriptText,
    rootMarks: [...reader.tags.rootMarks],
    marks: reader.tags.marks,
    mainLinks: reader.tags.links.filter((link) => link.zone === zone).map((link) => link.href),
    scriptText: reader.tags.scriptText,
    counts: reader.tags.counts,
  };
}

const headingsMax = 40;
const leadWords = 40;
const preludeWordsMax = 250;

// The main text of a page can be in its header, if all words of the page are there.
function mainZone(blocks: readonly Block[]): Zone {
  const hasWords = (zone: Zone) => blocks.some((block) => block.zone === zone && block.words > 0);
  if (hasWords('main')) return 'main';
  return hasWords('body') ? 'body' : 'edge';
}

// Skips blocks before the heading, such as menus without a `<nav>`. A heading after a long text is not the heading of
// the page.
function findStart(main: readonly Block[]): number {
  const levels = main.map((block) => block.level);
  const at = Math.max(0, levels.includes(1) ? levels.indexOf(1) : levels.findIndex((level) => level > 0));
  const before = sum(main.slice(0, at), (block) => block.words - block.linkWords);
  return before <= preludeWordsMax ? at : 0;
}

function toHeadings(blocks: readonly Block[], zone: Zone): Heading[] {
  return blocks
    .filter((block) => block.level > 0)
    .slice(0, headingsMax)
    .map(({ level, text, zone: place }) => ({ level, text, isMain: place === zone }));
}

function toLead(blocks: readonly Block[]): string {
  if (sum(blocks, (block) => block.words) <= leadWords) return joinTexts(blocks);
  const lead: Block[] = [];
  for (const block of blocks.filter((it) => it.linkWords < it.words)) {
    if (sum(lead, (it) => it.words) >= leadWords) break;
    lead.push(block);
  }
  return joinTexts(lead);
}

function joinTexts(blocks: readonly Block[]): string {
  return blocks.map((block) => block.text).join('\n');
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
