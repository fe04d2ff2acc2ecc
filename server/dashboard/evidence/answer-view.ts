import type { Tone } from './shares.ts';

/** The answer of a check, in words. */
export interface AnswerView {
  answer: string;
  tone: Tone;
  evidence: string[];
  /** The redirect chain: all URLs with their status. */
  redirects: Array<{ status: string; url: string }>;
  /** HTTP: the URL after redirects. Google: the URL that it shows or ranks. Null if it is missing or the input. */
  found: string | null;
  /** Number of redirects; null for checks of Google. */
  hops: number | null;
  /** Response time in milliseconds. Null if there is no response, and for checks of Google. */
  ms: number | null;
  /** A sentence that names the search provider. Absent for HTTP checks. */
  source?: string;
}
