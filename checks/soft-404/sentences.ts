import { Budget } from '../page/budget.ts';
import { normalise, toNfkc } from '../page/normalise.ts';
import { countWords } from '../page/words.ts';
import { findHits, type Hit, type PhraseKind } from './phrase-matcher.ts';

/** Statements about a missing page in one sentence, in any supported language. */
export type Sentence = {
  words: number;
  /** Number of words outside of the statements below. */
  otherWords: number;
  /** A thing was not found or does not exist. */
  isMissing: boolean;
  /** A thing was removed or moved, or is not available any more. */
  isGone: boolean;
  /** An offer is over: an advertisement, a job, a product. */
  isOfferGone: boolean;
  /** A thing is unavailable, perhaps only for a time. */
  isUnavailable: boolean;
  /** Something was not found. The sentence need not say what. */
  isBare: boolean;
  /** A hint such as "you are lost" or "there is nothing here". */
  isHint: boolean;
  /** The number 404 or 410. Not a price, and not a part of a longer number. */
  has404: boolean;
  /** A word for error. */
  hasErrorWord: boolean;
  /** The sentence is about search results. */
  isSearch: boolean;
  /** The sentence asks what something is, or how to fix it. */
  isQuestion: boolean;
  /** Words that occur in articles about error pages, without duplicates. */
  subjects: readonly string[];
};

/** Maximum length of a text to search, in UTF-16 units. */
const searchedCharsMax = 20_000;

/** Budget to judge a page. */
export const judgingCharsMax = 100_000;

/** Reads the sentences of texts of one page until the budget is spent. Caches the sentences of each text. */
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
  // The text is cut again, because NFKC turns some letters into 18 characters.
  const start = toNfkc(text.slice(0, searchedCharsMax)).slice(0, searchedCharsMax);
  budget.visit(start.length);
  const sentences: Sentence[] = [];
  for (const piece of splitSentences(normalise(start))) {
    if (budget.isSpent) break;
    sentences.push(readSentence(piece, budget));
  }
  return sentences;
}

function splitSentences(text: string): string[] {
  return text
    .split(sentenceEnds)
    .flatMap((sentence) => sentence.match(sentencePieces) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const sentenceEnds = /[\n!?。！？؟।॥]|\.(?=\s|$)/u;
// A longer text is cut, because the search for pairs takes quadratic time.
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
  const statements = hits
    .filter((hit) => !asides.has(hit.phrase.kind))
    .map(({ start, end }): Span => [start, end]);
  const numbers: Span[] = number ? [[number.index, number.index + number[0].length]] : [];
  const covered = [
    ...statements,
    ...numbers,
    ...[missing, gone, offer, unavailable].filter((pair) => pair !== null),
  ];
  return {
    words: countWords(sentence),
    otherWords: countWords(textOutside(sentence, covered)),
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

// Finds a thing and its denial in the same language. Skips conditions, such as "if the page is not found".
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
        hit.phrase.kind === 'things' && arePaired(hit, denial) && !(kind === 'gone' && isPlural(hits, hit)),
    );
    if (thing) return [Math.min(thing.start, denial.start), Math.max(thing.end, denial.end)];
  }
  return null;
}

// Finds an offer and its denial. Names of several offers are not in `offers`.
function findOffer(hits: readonly Hit[], budget: Budget): Span | null {
  for (const denial of hits.filter((hit) => offerDenials.has(hit.phrase.kind))) {
    budget.visit(hits.length);
    if (hasCondition(hits, denial)) continue;
    const offer = hits.find((hit) => hit.phrase.kind === 'offers' && arePaired(hit, denial));
    if (offer) return [Math.min(offer.start, denial.start), Math.max(offer.end, denial.end)];
  }
  return null;
}

function isPlural(hits: readonly Hit[], thing: Hit): boolean {
  return hits.some((hit) => hit.phrase.kind === 'many' && hit.start === thing.start);
}

function arePaired(thing: Hit, denial: Hit): boolean {
  if (thing.phrase.language !== '' && thing.phrase.language !== denial.phrase.language) return false;
  return thing.start - denial.end <= pairCharsMax && denial.start - thing.end <= pairCharsMax;
}

// In languages without spaces between words, the condition is often at the end.
function hasCondition(hits: readonly Hit[], denial: Hit): boolean {
  return hits.some(
    ({ phrase, start }) =>
      phrase.kind === 'ifs' &&
      phrase.language === denial.phrase.language &&
      (start < denial.start || phrase.isGlued),
  );
}

function textOutside(sentence: string, covered: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of [...covered].sort((a, b) => a[0] - b[0])) {
    if (start > at) parts.push(sentence.slice(at, start));
    at = Math.max(at, end);
  }
  parts.push(sentence.slice(at));
  return parts.join(' ');
}
