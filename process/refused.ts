import type { ErrorWord } from '../schemas/error-codes.ts';

interface RefusedExtras {
  /** When asking again may help. */
  retryAfterSeconds?: number;
  /** More for programs, such as the batch that was made instead. */
  details?: Record<string, unknown>;
}

/**
 * What was asked of an act cannot be done, by a word of the API and in a sentence for people. Nothing was
 * changed. Not for faults of ours: those are errors of other kinds.
 */
export class Refused extends Error {
  readonly word: ErrorWord;
  readonly retryAfterSeconds: number | null;
  readonly details: Record<string, unknown>;

  constructor(word: ErrorWord, message: string, { retryAfterSeconds, details = {} }: RefusedExtras = {}) {
    super(message);
    this.name = 'Refused';
    this.word = word;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.details = details;
  }
}
