import { Budget } from './budget.ts';
import { MarkupReader } from './markup.ts';
import { type Page, pageOf } from './page.ts';
import { PageReader } from './reader.ts';

/** How much of a page is read, in UTF-16 units; what stands in scripts and styles is not counted. */
export const pageCharsMax = 256 * 1024;

/** The most that reading a page visits; an ordinary page of full length takes less than half of it. */
export const readingCharsMax = 800_000;

/**
 * What a glance at the beginning of a page says: read no more, ask again later, or read all of it unasked.
 */
export type PageGlance = 'enough' | 'later' | 'all';

export type ReadingOptions = {
  budget?: Budget;
  /** The HTML is not all there was. */
  isCut?: boolean;
  /** Asked about what was read so far, once that is long, and again each time it has doubled. */
  glance?: (soFar: Page) => PageGlance;
};

/**
 * Reads a page in one pass, without building a tree, which strangers can make as deep as they like: its first
 * 256 Ki, or less where the budget is spent before or a glance says that it is enough.
 */
export function readPage(html: string, options: ReadingOptions = {}): Page {
  const { budget = new Budget(readingCharsMax), glance } = options;
  const reader = new PageReader(budget);
  const markup = new MarkupReader(html, reader);
  let nextGlance = glance ? 0 : Number.POSITIVE_INFINITY;
  while (!markup.isAtEnd && markup.atOutsideScripts < pageCharsMax && !budget.isSpent) {
    const { at, atOutsideScripts } = markup;
    markup.read(Math.min(pieceChars, pageCharsMax - atOutsideScripts));
    const counted = markup.atOutsideScripts;
    const passed = markup.at - at - (counted - atOutsideScripts);
    budget.visit(costOf(html.slice(at, markup.at - passed)) + Math.ceil(passed / passedPerChar));
    if (!glance || counted < nextGlance || reader.proseWords <= longWords) continue;
    const soFar = pageOf(reader, true);
    const answer = glance(soFar);
    if (answer === 'enough') return soFar;
    nextGlance = answer === 'all' ? Number.POSITIVE_INFINITY : 2 * counted;
  }
  const isWhole = markup.isAtEnd;
  markup.end();
  reader.end();
  return pageOf(reader, options.isCut === true || !isWhole);
}

const pieceChars = 4 * 1024;
const longWords = 300;
// What an ampersand costs beside itself: it may begin any of two thousand names.
const ampersandChars = 8;
// Characters of scripts and styles that cost as much as one other character.
const passedPerChar = 16;

function costOf(piece: string): number {
  return piece.length + ampersandChars * (piece.split('&').length - 1);
}
