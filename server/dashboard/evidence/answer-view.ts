import type { Tone } from './shares.ts';

/** The answer of a check, in words. */
export interface AnswerView {
  answer: string;
  tone: Tone;
  /** Sentences, the most important first. */
  evidence: string[];
  /** The redirect chain: every URL with its status. */
  redirects: Array<{ status: string; url: string }>;
  /** HTTP: the URL after redirects. Google: the URL that is shown or ranks. Null without one, or if it is the input. */
  found: string | null;
  /** Number of redirects; null for checks of Google. */
  hops: number | null;
  /** Response time in milliseconds; null without a response, and for checks of Google. */
  ms: number | null;
  /** A sentence that names the search provider; missing for HTTP checks. */
  source?: string;
}
