import { Budget } from './budget.ts';
import { MarkupReader } from './markup.ts';
import { type Page, toPage } from './page.ts';
import { PageReader } from './reader.ts';

/** Maximum of the UTF-16 units read of a page, without scripts and styles. */
export const pageCharsMax = 256 * 1024;

/** Budget to read a page. An ordinary page of the maximum length needs less than half of it. */
export const readingCharsMax = 800_000;

/** Decision after a part of a page: stop, decide again later, or read the whole page. */
export type ReadingDecision = 'enough' | 'later' | 'all';

type ReadingOptions = {
  budget?: Budget;
  /** True if the HTML is only a part of the document. */
  isCut?: boolean;
  /** Called after the first part of a page with a long text. Called again each time the part has doubled. */
  decide?: (soFar: Page) => ReadingDecision;
};

/**
 * Reads the first 256 Ki characters of a page. Stops earlier if the budget is spent or `decide` returns 'enough'.
 * Builds no tree, because a hostile page could make a tree arbitrarily deep.
 */
export function readPage(html: string, options: ReadingOptions = {}): Page {
  const { budget = new Budget(readingCharsMax), decide } = options;
  const reader = new PageReader(budget);
  const markup = new MarkupReader(html, reader);
  let nextDecisionAt = decide ? 0 : Number.POSITIVE_INFINITY;
  while (!markup.isAtEnd && markup.atOutsideScripts < pageCharsMax && !budget.isSpent) {
    const { at, atOutsideScripts } = markup;
    markup.read(Math.min(pieceChars, pageCharsMax - atOutsideScripts));
    const counted = markup.atOutsideScripts;
    const skipped = markup.at - at - (counted - atOutsideScripts);
    budget.visit(estimateCost(html.slice(at, markup.at - skipped)) + Math.ceil(skipped / skippedPerChar));
    if (!decide || counted < nextDecisionAt || reader.proseWords <= longWords) continue;
    const soFar = toPage(reader, true);
    const answer = decide(soFar);
    if (answer === 'enough') return soFar;
    nextDecisionAt = answer === 'all' ? Number.POSITIVE_INFINITY : 2 * counted;
  }
  const isWhole = markup.isAtEnd;
  markup.end();
  reader.end();
  return toPage(reader, options.isCut === true || !isWhole);
}

const pieceChars = 4 * 1024;
const longWords = 300;
// Cost of an ampersand. It may begin any of 2,000 entity names.
const ampersandChars = 8;
// This many characters of a script or style cost as much as one other character.
const skippedPerChar = 16;

function estimateCost(piece: string): number {
  return piece.length + ampersandChars * (piece.split('&').length - 1);
}
