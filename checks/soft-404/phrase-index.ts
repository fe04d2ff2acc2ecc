import type { Budget } from '../page/budget.ts';
import { normalise } from '../page/normalise.ts';
import { offerWordings } from './offers.ts';
import { candidatesAt, indexOf } from './phrase-lookup.ts';
import { type SharedKind, sharedWordings, wordings } from './phrases.ts';

/**
 * What a phrase is to the sentence it stands in; the fields of `Wording`, `OfferWording` and
 * `sharedWordings`.
 */
export type PhraseKind =
  | 'missing'
  | 'gone'
  | 'unavailable'
  | 'hints'
  | 'ifs'
  | 'offers'
  | 'offerGone'
  | 'many'
  | SharedKind;

/** A phrase, of which language ('' for those of all), and whether it may begin inside a word. */
export type Phrase = {
  kind: PhraseKind;
  language: string;
  isGlued: boolean;
  source: string;
  parts: readonly string[];
};

/** Where in a sentence a phrase was found. */
export type Hit = { phrase: Phrase; start: number; end: number };

/**
 * Every phrase of ours in a normalised sentence, in the order of their beginnings; the first hundred, which
 * no sentence that somebody wrote has.
 */
export function findHits(sentence: string, budget: Budget): Hit[] {
  const hits: Hit[] = [];
  let isInWord = false;
  for (let at = 0; at < sentence.length && hits.length < hitsMax; at++) {
    const candidates = candidatesAt(isInWord ? glued : all, sentence, at);
    budget.visit(1 + candidates.length);
    for (const phrase of candidates) {
      const end = matchAt(sentence, at, phrase);
      if (end !== null) hits.push({ phrase, start: at, end });
    }
    isInWord = isWithinWord(sentence, at + 1);
  }
  return hits;
}

const hitsMax = 100;

/**
 * Whether a normalised text may hold a sentence with a phrase that says something by itself, or with the number of an
 * error: what only names or qualifies says nothing. True, too, of a text with a sentence that is cut, for nobody knows
 * here what begins where it is. Walks the text once, and much less of it than `findHits`.
 */
export function mayTell(text: string, sentenceCharsMax: number, budget: Budget): boolean {
  if (errorNumbers.some((number) => text.includes(number))) return true;
  let visited = text.length;
  let sentenceStart = 0;
  let sortBefore = noLetter;
  for (let at = 0; at < text.length; at++) {
    const traits = traitsOf(text.charCodeAt(at));
    const sort = traits & sortBits;
    const isInWord = sort === sortBefore && sort !== noLetter;
    // Most units of most texts begin nothing, least of all inside a word, and end no sentence.
    if ((traits & (isInWord ? beginsGluedSign : beginsSign)) !== 0) {
      const candidates = candidatesAt(isInWord ? gluedSigns : signs, text, at);
      visited += candidates.length;
      for (const phrase of candidates) if (matchAt(text, at, phrase) !== null) return true;
    }
    if ((traits & mayEndSentence) !== 0 && endsSentence(text, at)) sentenceStart = at + 1;
    if (at - sentenceStart >= sentenceCharsMax) return true;
    sortBefore = sort;
  }
  // What tells is walked again, and counted then.
  budget.visit(visited);
  return false;
}

const errorNumbers = ['404', '410'];

/** Whether what may end a sentence does: a full stop may stand in a number, or a name. */
function endsSentence(text: string, at: number): boolean {
  return text.charAt(at) !== '.' || at + 1 === text.length || /\s/u.test(text.charAt(at + 1));
}

const sentenceEnds = '.\n!?。！？؟।॥';

const spacelessMin = 0x0e00;
const gap = '…';
const gapCharsMax = 30;
const letter = /[\p{L}\p{M}\p{N}]/u;
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}]/u;

function allPhrases(): Phrase[] {
  const own = wordings.flatMap(({ language, isGlued = false, ...words }) =>
    ownKinds.flatMap((kind) => words[kind].map((source) => phraseOf(kind, source, language, isGlued))),
  );
  const shared = sharedKinds.flatMap((kind) =>
    sharedWordings[kind].map((source) => phraseOf(kind, source, '', spaceless.test(source))),
  );
  const glued = new Set(wordings.filter(({ isGlued }) => isGlued).map(({ language }) => language));
  const ofOffers = offerWordings.flatMap(({ language, ...words }) =>
    offerKinds.flatMap(([field, kind]) =>
      words[field].map((source) => phraseOf(kind, source, language, glued.has(language))),
    ),
  );
  return [...own, ...shared, ...ofOffers];
}

const ownKinds = ['things', 'missing', 'gone', 'unavailable', 'hints', 'ifs'] as const;
const offerKinds = [
  ['offers', 'offers'],
  ['gone', 'offerGone'],
  ['many', 'many'],
] as const;
const sharedKinds = ['things', 'errors', 'labels', 'searches', 'subjects', 'questions'] as const;

function phraseOf(kind: PhraseKind, source: string, language: string, isGlued: boolean): Phrase {
  const parts = source
    .split(/(\*| … )/u)
    .map((part) => (part === ' … ' ? gap : normalise(part)))
    .filter((part) => part !== '');
  return { kind, language, isGlued, source, parts };
}

// Parts are literals with '*' and '…' between them; each is tried once, where it first fits.
function matchAt(sentence: string, start: number, { parts, isGlued }: Phrase): number | null {
  let at = start;
  let before = '';
  for (const part of parts) {
    if (part === '*') at = endOfWord(sentence, at);
    else if (part === gap) {
      if (before !== '*' && !isGlued && isLetter(sentence, at)) return null;
    } else {
      const found = before === gap ? findWord(sentence, part, at) : at;
      if (found === null || !standsAt(sentence, part, found)) return null;
      at = found + part.length;
    }
    before = part;
  }
  return before === '*' || isGlued || !isWithinWord(sentence, at) ? at : null;
}

// Most candidates differ in the next letter, which a call of `startsWith` costs more than to look at.
function standsAt(text: string, part: string, at: number): boolean {
  for (let index = 0; index < part.length; index++) {
    if (text.charCodeAt(at + index) !== part.charCodeAt(index)) return false;
  }
  return true;
}

function endOfWord(sentence: string, start: number): number {
  let at = start;
  while (isLetter(sentence, at)) at++;
  return at;
}

function findWord(sentence: string, part: string, start: number): number | null {
  const reach = sentence.slice(0, start + gapCharsMax + part.length);
  let found = reach.indexOf(part, start);
  while (found > 0 && isLetter(sentence, found - 1)) found = reach.indexOf(part, found + 1);
  return found < 0 ? null : found;
}

// An address called URL stands between Korean or Japanese letters as between spaces.
function isWithinWord(text: string, at: number): boolean {
  const sort = sortAt(text, at);
  return sort !== noLetter && sort === sortAt(text, at - 1);
}

function isLetter(text: string, at: number): boolean {
  return sortAt(text, at) !== noLetter;
}

function sortAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? traitsOf(text.charCodeAt(at)) & sortBits : noLetter;
}

/** What is known of a code unit: whether it is a letter, of what sort of script, and what may begin or end with it. */
function traitsOf(unit: number): number {
  return traitsByUnit[unit] || findTraits(unit);
}

function findTraits(unit: number): number {
  const char = String.fromCharCode(unit);
  const sort = !letter.test(char) ? noLetter : unit < spacelessMin ? spaced : unspaced;
  const traits =
    sort |
    (signs.firstUnits[unit] === 1 ? beginsSign : 0) |
    (gluedSigns.firstUnits[unit] === 1 ? beginsGluedSign : 0) |
    (sentenceEnds.includes(char) ? mayEndSentence : 0);
  traitsByUnit[unit] = traits;
  return traits;
}

const noLetter = 1;
const spaced = 2;
const unspaced = 3;
const sortBits = 3;
const beginsSign = 4;
const beginsGluedSign = 8;
const mayEndSentence = 16;
/** Of those asked about so far, which are few; 0 where nobody has. */
const traitsByUnit = new Uint8Array(2 ** 16);

// A text is walked once for all of some four thousand phrases. Made when the process starts rather than
// during its first check. Inside a word only those of languages that write without spaces may begin.
const phrases = allPhrases();
const all = indexOf(phrases);
const glued = indexOf(phrases.filter(({ isGlued }) => isGlued));
// Those that a sentence must have for anything to follow from it.
const tellingKinds: ReadonlySet<PhraseKind> = new Set<PhraseKind>([
  'missing',
  'gone',
  'unavailable',
  'hints',
  'offerGone',
  'errors',
  'searches',
  'subjects',
  'questions',
]);
const telling = phrases.filter(({ kind }) => tellingKinds.has(kind));
const signs = indexOf(telling);
const gluedSigns = indexOf(telling.filter(({ isGlued }) => isGlued));
