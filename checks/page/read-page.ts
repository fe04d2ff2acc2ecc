import { Tokenizer } from 'parse5';
import { Budget } from './budget.ts';
import { type Page, pageOf } from './page.ts';
import { PageReader } from './reader.ts';

/** How much of a page is read, in UTF-16 units. */
export const pageCharsMax = 256 * 1024;

/** The most that reading a page visits; an ordinary page of full length takes less than half of it. */
export const readingCharsMax = 800_000;

/** What a glance at the beginning of a page says: read no more, ask again later, or read all of it unasked. */
export type Glance = 'enough' | 'later' | 'all';

export type ReadingOptions = {
  budget?: Budget;
  /** Asked about what was read so far, once that is long, and again each time it has doubled. */
  glance?: (soFar: Page) => Glance;
};

/**
 * Reads a page in one pass, without building a tree, which strangers can make as deep as they like: its first 256 Ki,
 * or less where the budget is spent before or a glance says that it is enough.
 */
export function readPage(html: string, options: ReadingOptions = {}): Page {
  const { budget = new Budget(readingCharsMax), glance } = options;
  const reader = new PageReader(budget);
  const tokenizer = new Tokenizer({}, reader);
  reader.tokenizer = tokenizer;
  const end = Math.min(html.length, pageCharsMax);
  let nextGlance = glance ? 0 : end;
  for (let at = 0; at < end && !budget.isSpent; at += sliceChars) {
    const slice = html.slice(at, Math.min(at + sliceChars, end));
    budget.visit(slice.length + ampersandChars * (slice.split('&').length - 1));
    tokenizer.write(slice, false);
    if (!glance || at < nextGlance || reader.proseWords <= longWords) continue;
    const soFar = pageOf(reader);
    const answer = glance(soFar);
    if (answer === 'enough') return soFar;
    nextGlance = answer === 'all' ? end : 2 * at;
  }
  tokenizer.write('', true);
  return pageOf(reader);
}

const sliceChars = 4 * 1024;
// What an ampersand costs beside itself: it may begin any of two thousand names.
const ampersandChars = 8;
const longWords = 300;
