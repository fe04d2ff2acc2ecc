import { normalise } from '../page/normalise.ts';
import { countWords } from '../page/words.ts';
import { findHits, type Hit, type Kind } from './phrase-index.ts';

/** What a sentence says about a page's absence, in whichever of our languages it says it. */
export type Sentence = {
  words: number;
  /** Words beside those that say it. */
  otherWords: number;
  /** A thing was not found or does not exist. */
  isMissing: boolean;
  /** A thing was removed, moved, or is no longer available. */
  isGone: boolean;
  /** A thing cannot be had, perhaps only now. */
  isUnavailable: boolean;
  /** Not found, without a word on what. */
  isBare: boolean;
  /** You are lost, there is nothing here. */
  isHint: boolean;
  /** The number 404 or 410, standing for itself rather than for a price or part of a longer number. */
  has404: boolean;
  /** A word for error. */
  hasErrorWord: boolean;
  /** It speaks of search results. */
  isSearch: boolean;
  /** It asks what something is, or how to mend it. */
  isQuestion: boolean;
  /** Words of those who write about error pages, each once. */
  subjects: readonly string[];
};

/** At most so much of a text is searched, in UTF-16 units (HARDENING.md section 2.3). */
export const SEARCHED_CHARS_MAX = 20_000;

/** Reads the sentences of a text for what they say of a missing page. */
export function readSentences(text: string): Sentence[] {
  // Cut before the work and after the first step, which turns some letters into eighteen.
  return normalise(text.slice(0, SEARCHED_CHARS_MAX).normalize('NFKC').slice(0, SEARCHED_CHARS_MAX))
    .split(SENTENCE_ENDS)
    .flatMap((sentence) => sentence.match(SENTENCE_PIECES) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map(readSentence);
}

const SENTENCE_ENDS = /[\n!?。！？؟।॥]|\.(?=\s|$)/u;
// What runs on for longer is no sentence, and pairing its words would take the square of them.
const SENTENCE_PIECES = /.{1,400}/gsu;
const PAIR_CHARS_MAX = 100;
const NUMBER = /(?<![\p{L}\p{N}$€£]|\d[.,:/-])(?:404|410)(?![\p{N}\p{Script=Latin}%€£]|[.,:/-](?!0\b)\d)/u;
const ASIDES: ReadonlySet<Kind> = new Set<Kind>(['ifs', 'searches', 'subjects', 'questions']);

function readSentence(sentence: string): Sentence {
  const hits = findHits(sentence);
  const has = (kind: Kind) => hits.some((hit) => hit.phrase.kind === kind);
  const number = NUMBER.exec(sentence);
  const missing = findPair(hits, 'missing');
  const gone = findPair(hits, 'gone');
  const unavailable = findPair(hits, 'unavailable');
  const telling = hits
    .filter((hit) => !ASIDES.has(hit.phrase.kind))
    .map(({ start, end }): Span => [start, end]);
  const numbers: Span[] = number ? [[number.index, number.index + number[0].length]] : [];
  const covered = [...telling, ...numbers, ...[missing, gone, unavailable].filter((pair) => pair !== null)];
  return {
    words: countWords(sentence),
    otherWords: countWords(uncovered(sentence, covered)),
    isMissing: missing !== null,
    isGone: gone !== null,
    isUnavailable: unavailable !== null,
    isBare: hits.some((hit) => hit.phrase.kind === 'missing' && !hasCondition(hits, hit)),
    isHint: has('hints'),
    has404: number !== null,
    hasErrorWord: has('errors'),
    isSearch: has('searches'),
    isQuestion: has('questions'),
    subjects: [
      ...new Set(hits.filter((hit) => hit.phrase.kind === 'subjects').map((hit) => hit.phrase.source)),
    ],
  };
}

type Span = [start: number, end: number];

// From the thing to its denial or back, in one language, unless a condition makes it a supposition.
function findPair(hits: readonly Hit[], kind: 'missing' | 'gone' | 'unavailable'): Span | null {
  for (const denial of hits) {
    if (denial.phrase.kind !== kind || hasCondition(hits, denial)) continue;
    const thing = hits.find((hit) => hit.phrase.kind === 'things' && arePaired(hit, denial));
    if (thing) return [Math.min(thing.start, denial.start), Math.max(thing.end, denial.end)];
  }
  return null;
}

function arePaired(thing: Hit, denial: Hit): boolean {
  if (thing.phrase.language !== '' && thing.phrase.language !== denial.phrase.language) return false;
  return thing.start - denial.end <= PAIR_CHARS_MAX && denial.start - thing.end <= PAIR_CHARS_MAX;
}

// Where words run together the condition often comes last.
function hasCondition(hits: readonly Hit[], denial: Hit): boolean {
  return hits.some(
    ({ phrase, start }) =>
      phrase.kind === 'ifs' &&
      phrase.language === denial.phrase.language &&
      (start < denial.start || phrase.isGlued),
  );
}

function uncovered(sentence: string, covered: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of [...covered].sort((a, b) => a[0] - b[0])) {
    if (start > at) parts.push(sentence.slice(at, start));
    at = Math.max(at, end);
  }
  parts.push(sentence.slice(at));
  return parts.join(' ');
}
