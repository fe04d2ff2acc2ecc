import { Budget } from '../page/budget.ts';
import { normalise, toNfkc } from '../page/normalise.ts';
import { countWords } from '../page/words.ts';
import { findHits, type Hit, type PhraseKind } from './phrase-matcher.ts';

/** What a sentence says about a page's absence, in whichever of our languages it says it. */
export type Sentence = {
  words: number;
  /** Words beside those that say it. */
  otherWords: number;
  /** A thing was not found or does not exist. */
  isMissing: boolean;
  /** A thing was removed, moved, or is no longer available. */
  isGone: boolean;
  /** An offer is over: an advertisement, a job, a product. */
  isOfferGone: boolean;
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

/** At most so much of a text is searched, in UTF-16 units. */
const searchedCharsMax = 20_000;

/** The most that judging a page visits: its title, headings and the beginning of its text, phrase by phrase. */
export const judgingCharsMax = 100_000;

/** Reads the sentences of a page's texts, each text once however often it is asked for, until its budget is spent. */
export class SentenceReader {
  readonly budget = new Budget(judgingCharsMax);
  readonly #known = new Map<string, readonly Sentence[]>();

  read(text: string): readonly Sentence[] {
    const known = this.#known.get(text);
    if (known) return known;
    const sentences = readSentences(text, this.budget);
    this.#known.set(text, sentences);
    return sentences;
  }
}

/** Reads the sentences of a text until the budget is spent. */
export function readSentences(text: string, budget = new Budget(Number.POSITIVE_INFINITY)): Sentence[] {
  if (budget.isSpent) return [];
  // Cut before the work and after the first step, which turns some letters into eighteen.
  const start = toNfkc(text.slice(0, searchedCharsMax)).slice(0, searchedCharsMax);
  budget.visit(start.length);
  const sentences: Sentence[] = [];
  for (const piece of piecesOf(normalise(start))) {
    if (budget.isSpent) break;
    sentences.push(readSentence(piece, budget));
  }
  return sentences;
}

function piecesOf(text: string): string[] {
  return text
    .split(sentenceEnds)
    .flatMap((sentence) => sentence.match(sentencePieces) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const sentenceEnds = /[\n!?。！？؟।॥]|\.(?=\s|$)/u;
// What runs on for longer is no sentence, and pairing its words would take the square of them.
const sentenceCharsMax = 400;
const sentencePieces = new RegExp(`.{1,${sentenceCharsMax}}`, 'gsu');
const pairCharsMax = 100;
const errorNumber =
  /(?<![\p{L}\p{N}$€£]|\d[.,:/-])(?:404|410)(?![\p{N}\p{Script=Latin}%€£]|[.,:/-](?!0\b)\d)/u;
const offerDenials: ReadonlySet<PhraseKind> = new Set<PhraseKind>(['gone', 'offerGone']);
const asides: ReadonlySet<PhraseKind> = new Set<PhraseKind>([
  'ifs',
  'searches',
  'subjects',
  'questions',
  'offers',
  'offerGone',
  'many',
]);

function readSentence(sentence: string, budget: Budget): Sentence {
  const hits = findHits(sentence, budget);
  const has = (kind: PhraseKind) => hits.some((hit) => hit.phrase.kind === kind);
  const number = errorNumber.exec(sentence);
  const missing = findPair(hits, 'missing', budget);
  const gone = findPair(hits, 'gone', budget);
  const offer = findOffer(hits, budget);
  const unavailable = findPair(hits, 'unavailable', budget);
  const telling = hits
    .filter((hit) => !asides.has(hit.phrase.kind))
    .map(({ start, end }): Span => [start, end]);
  const numbers: Span[] = number ? [[number.index, number.index + number[0].length]] : [];
  const covered = [
    ...telling,
    ...numbers,
    ...[missing, gone, offer, unavailable].filter((pair) => pair !== null),
  ];
  return {
    words: countWords(sentence),
    otherWords: countWords(uncovered(sentence, covered)),
    isMissing: missing !== null,
    isGone: gone !== null,
    isOfferGone: offer !== null,
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
function findPair(
  hits: readonly Hit[],
  kind: 'missing' | 'gone' | 'unavailable',
  budget: Budget,
): Span | null {
  for (const denial of hits) {
    if (denial.phrase.kind !== kind) continue;
    budget.visit(hits.length);
    if (hasCondition(hits, denial)) continue;
    const thing = hits.find(
      (hit) =>
        hit.phrase.kind === 'things' && arePaired(hit, denial) && !(kind === 'gone' && areMany(hits, hit)),
    );
    if (thing) return [Math.min(thing.start, denial.start), Math.max(thing.end, denial.end)];
  }
  return null;
}

// Of one offer: words for many are none of `offers`.
function findOffer(hits: readonly Hit[], budget: Budget): Span | null {
  for (const denial of hits.filter((hit) => offerDenials.has(hit.phrase.kind))) {
    budget.visit(hits.length);
    if (hasCondition(hits, denial)) continue;
    const offer = hits.find((hit) => hit.phrase.kind === 'offers' && arePaired(hit, denial));
    if (offer) return [Math.min(offer.start, denial.start), Math.max(offer.end, denial.end)];
  }
  return null;
}

function areMany(hits: readonly Hit[], thing: Hit): boolean {
  return hits.some((hit) => hit.phrase.kind === 'many' && hit.start === thing.start);
}

function arePaired(thing: Hit, denial: Hit): boolean {
  if (thing.phrase.language !== '' && thing.phrase.language !== denial.phrase.language) return false;
  return thing.start - denial.end <= pairCharsMax && denial.start - thing.end <= pairCharsMax;
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
