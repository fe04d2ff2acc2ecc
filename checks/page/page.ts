import type { Zone } from './notes.ts';
import { type Block, type PageReader, proseWordsOf } from './reader.ts';

/**
 * What a page says and how it is built, as far as its verdict needs it. Text is what a reader without scripts
 * would see, white space collapsed, one line for each block of the layout; hidden elements are left out.
 */
export type Page = {
  /** There was more of it than was read. */
  isCut: boolean;
  /** Content of the first `<title>`; '' without one. */
  title: string;
  /** `og:title`; '' without one. */
  ogTitle: string;
  /** `lang` of `<html>`, lower case; '' without one. */
  language: string;
  /** `href` of the first `<base>`, as written; null without one. */
  base: string | null;
  /** `href` of the first `link rel=canonical` of the head, as written; null without one. */
  canonical: string | null;
  /** Where `meta http-equiv=refresh` leads, as written; null without one. */
  refresh: string | null;
  /** A robots meta says noindex or none. */
  isNoindex: boolean;
  /** h1 to h3 in order, those of the page's frame included. */
  headings: readonly Heading[];
  /** The text of `<main>`; without one, of what stands outside nav, header, footer and aside. */
  mainText: string;
  /** What stands in the main text before its heading: menus, notices; '' without a heading. */
  preludeText: string;
  /**
   * How the main text begins from its heading on, blocks of nothing but links left out; the whole where it is
   * short.
   */
  leadText: string;
  mainWords: number;
  /** Words of the main text outside links, from its heading on. */
  plainWords: number;
  /** Of those, words in running prose: in blocks of 20 words and more. */
  proseWords: number;
  /** All visible text, in page order. */
  text: string;
  words: number;
  /** What `<noscript>` tells readers without scripts. */
  noscriptText: string;
  /** Classes and ids of `<html>` and `<body>`, lower case. */
  rootMarks: readonly string[];
  /** Classes and ids of other visible elements, lower case, each once. */
  marks: ReadonlySet<string>;
  /** `href` of the first links of the main text. */
  mainLinks: readonly string[];
  /** Addresses and beginnings of scripts, frames and form targets, one to a line. */
  scriptText: string;
  /** Password fields are those outside the frame. */
  counts: {
    scripts: number;
    links: number;
    forms: number;
    passwordFields: number;
  };
};

/** A heading, its level 1 to 3, and whether it belongs to the main text. */
export type Heading = { level: number; text: string; isMain: boolean };

/** The page as its reader has it so far. */
export function pageOf(reader: PageReader, isCut: boolean): Page {
  const zone = mainZone(reader.blocks);
  reader.budget.visit(reader.keptChars);
  const main = reader.blocks.filter((block) => block.zone === zone);
  const start = startOf(main);
  const body = main.slice(start);
  return {
    isCut,
    ...reader.notes.head,
    headings: headingsOf(reader.blocks, zone),
    mainText: textOf(main),
    preludeText: textOf(main.slice(0, start)),
    leadText: leadOf(body),
    mainWords: sum(main, (block) => block.words),
    plainWords: sum(body, (block) => block.words - block.linkWords),
    proseWords: sum(body, proseWordsOf),
    text: textOf(reader.blocks),
    words: sum(reader.blocks, (block) => block.words),
    noscriptText: reader.noscriptText,
    rootMarks: [...reader.notes.rootMarks],
    marks: reader.notes.marks,
    mainLinks: reader.notes.links.filter((link) => link.zone === zone).map((link) => link.href),
    scriptText: reader.notes.scriptText,
    counts: reader.notes.counts,
  };
}

const headingsMax = 40;
const leadWords = 40;
const preludeWordsMax = 250;

// A page whose every word stands in its header is odd, but it has been read all the same.
function mainZone(blocks: readonly Block[]): Zone {
  const hasWords = (zone: Zone) => blocks.some((block) => block.zone === zone && block.words > 0);
  if (hasWords('main')) return 'main';
  return hasWords('body') ? 'body' : 'edge';
}

// Where the heading stands, for menus in plain boxes come before it; what comes after a long text is not its
// heading.
function startOf(main: readonly Block[]): number {
  const levels = main.map((block) => block.level);
  const at = Math.max(0, levels.includes(1) ? levels.indexOf(1) : levels.findIndex((level) => level > 0));
  const before = sum(main.slice(0, at), (block) => block.words - block.linkWords);
  return before <= preludeWordsMax ? at : 0;
}

function headingsOf(blocks: readonly Block[], zone: Zone): Heading[] {
  return blocks
    .filter((block) => block.level > 0)
    .slice(0, headingsMax)
    .map(({ level, text, zone: place }) => ({ level, text, isMain: place === zone }));
}

function leadOf(blocks: readonly Block[]): string {
  if (sum(blocks, (block) => block.words) <= leadWords) return textOf(blocks);
  const lead: Block[] = [];
  for (const block of blocks.filter((it) => it.linkWords < it.words)) {
    if (sum(lead, (it) => it.words) >= leadWords) break;
    lead.push(block);
  }
  return textOf(lead);
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => block.text).join('\n');
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
