import type { Tone } from './shares.ts';

/** The answer of a check, in words. */
export interface AnswerView {
  answer: string;
  tone: Tone;
  /** Sentences, the most important first. */
  evidence: string[];
  /** The redirect chain: every URL with its status. */
  redirects: Array<{ status: string; url: string }>;
  /** The URL that answered, is shown or ranks, if it differs from the input; else null. */
  found: string | null;
  /** Number of redirects; null for checks of Google. */
  hops: number | null;
  /** Response time in milliseconds; null without a response, and for checks of Google. */
  ms: number | null;
  /** The source of the answer, if it is not the page itself. */
  source?: string;
}
