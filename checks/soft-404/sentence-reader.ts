import { Budget } from '../page/budget.ts';
import { readSentences, type Sentence, saysNothing } from './phrase-finder.ts';

/**
 * The most that judging a page visits: its title, headings and the beginning of its text, phrase by phrase.
 */
export const judgingCharsMax = 100_000;

/**
 * Reads what a page says, each text once however often it is asked for, until its budget is spent. Of a text that says
 * nothing of a missing page it tells no sentence, for no signal follows from one; `isThorough` tells them all the same.
 */
export class SentenceReader {
  readonly budget: Budget;
  readonly #isTerse: boolean;
  readonly #known = new Map<string, readonly Sentence[]>();

  constructor(budget: Budget = new Budget(judgingCharsMax), { isThorough = false } = {}) {
    this.budget = budget;
    this.#isTerse = !isThorough;
  }

  read(text: string): readonly Sentence[] {
    const known = this.#known.get(text);
    if (known) return known;
    const sentences = readSentences(text, this.budget, { isTerse: this.#isTerse });
    this.#known.set(text, sentences);
    return sentences;
  }

  /** That a text says nothing of a missing page, so that no line of it needs to be read; a thorough one reads them. */
  isSilent(text: string): boolean {
    return this.#isTerse && saysNothing(text, this.budget);
  }
}
