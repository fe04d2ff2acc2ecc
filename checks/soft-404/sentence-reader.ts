import { Budget } from '../page/budget.ts';
import { readSentences, type Sentence } from './phrase-finder.ts';

/**
 * The most that judging a page visits: its title, headings and the beginning of its text, phrase by phrase.
 */
export const judgingCharsMax = 100_000;

/** Reads what a page says, each text once however often it is asked for, until its budget is spent. */
export class SentenceReader {
  readonly budget: Budget;
  readonly #known = new Map<string, readonly Sentence[]>();

  constructor(budget: Budget = new Budget(judgingCharsMax)) {
    this.budget = budget;
  }

  read(text: string): readonly Sentence[] {
    const known = this.#known.get(text);
    if (known) return known;
    const sentences = readSentences(text, this.budget);
    this.#known.set(text, sentences);
    return sentences;
  }
}
