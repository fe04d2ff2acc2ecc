import type { Tone } from './shares.ts';

/** What came of a check, in words. */
export interface Told {
  answer: string;
  tone: Tone;
  /** Sentences, the one that says most first. */
  evidence: string[];
  /** Every address on the way, with what it answered. */
  trail: Array<{ status: string; url: string }>;
  /** The address that answered, is shown or ranks, where it is another than was asked; null where not. */
  found: string | null;
  /** How many redirects there were; null where none are counted. */
  hops: number | null;
  /** How long the answer took; null where none came, or none was waited for. */
  ms: number | null;
  /** Where the answer comes from, where it is not from the page itself. */
  source?: string;
}
