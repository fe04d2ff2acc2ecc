import { Tokenizer } from 'parse5';
import { Budget } from './budget.ts';
import { feed, sliceOf } from './feed.ts';
import { type Page, pageOf } from './page.ts';
import { PageReader } from './reader.ts';
import { scriptEnd } from './script-end.ts';

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
  const tokenizer = new Tokenizer({}, reader);
  reader.tokenizer = tokenizer;
  let nextGlance = glance ? 0 : Number.POSITIVE_INFINITY;
  let at = 0;
  let counted = 0;
  while (at < html.length && counted < pageCharsMax && !budget.isSpent) {
    const slice = sliceOf(html, at, Math.min(sliceChars, pageCharsMax - counted));
    const scriptCharsBefore = reader.scriptChars;
    feed(slice, tokenizer, reader);
    if (reader.scriptTag !== '') tokenizer.flushCharacters();
    at += slice.length;
    counted += slice.length - (reader.scriptChars - scriptCharsBefore);
    budget.visit(costOf(slice));
    const end = scriptEnd(html, at, tokenizer, reader);
    const isStuck = end === at && reader.scriptTag !== '';
    budget.visit(isStuck ? stuckFactor * slice.length : Math.ceil((end - at) / skippedPerChar));
    reader.passOver(html.slice(at, end));
    at = end;
    if (!glance || counted < nextGlance || reader.proseWords <= longWords) continue;
    const soFar = pageOf(reader, true);
    const answer = glance(soFar);
    if (answer === 'enough') return soFar;
    nextGlance = answer === 'all' ? Number.POSITIVE_INFINITY : 2 * counted;
  }
  tokenizer.write('', true);
  return pageOf(reader, options.isCut === true || at < html.length);
}

const sliceChars = 4 * 1024;
const longWords = 300;
// What an ampersand costs beside itself: it may begin any of two thousand names.
const ampersandChars = 8;
// In a script within a comment within a script, or among ends that are none, each character costs this much
// more.
const stuckFactor = 4;
// Characters passed over for the price of one that is read.
const skippedPerChar = 16;

function costOf(slice: string): number {
  return slice.length + ampersandChars * (slice.split('&').length - 1);
}
