import type { Budget } from '../page/budget.ts';
import { normalise } from '../page/normalise.ts';
import { offerWordings } from './offers.ts';
import { type SharedKind, sharedWordings, wordings } from './phrases.ts';

/**
 * What a phrase is to the sentence it stands in; the fields of `Wording`, `OfferWording` and
 * `sharedWordings`.
 */
export type Kind =
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
  kind: Kind;
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
 * Phrases by the first one, two or three code units of their first literal, as numbers: a look-up makes no
 * string.
 */
type PhraseIndex = { firstUnits: Set<number>; byPrefix: Map<number, Phrase[]> };

const none: readonly Phrase[] = [];

function candidatesAt({ firstUnits, byPrefix }: PhraseIndex, text: string, at: number): readonly Phrase[] {
  // Most positions of most texts end here.
  if (!firstUnits.has(text.charCodeAt(at))) return none;
  const [one, two, three] = [1, 2, 3].map((units) => byPrefix.get(prefixKey(text, at, units)));
  if (!one && !two) return three ?? none;
  return [...(one ?? none), ...(two ?? none), ...(three ?? none)];
}

function prefixKey(text: string, at: number, units: number): number {
  let key = 0;
  for (let index = at; index < at + units; index++) {
    key = key * 2 ** 16 + (index < text.length ? text.charCodeAt(index) : 0);
  }
  return key;
}

function indexOf(phrases: readonly Phrase[]): PhraseIndex {
  const byPrefix = new Map<number, Phrase[]>();
  for (const phrase of phrases) {
    const literal = phrase.parts[0] ?? '';
    const key = prefixKey(literal, 0, Math.min(3, literal.length));
    const alike = byPrefix.get(key);
    if (alike) alike.push(phrase);
    else byPrefix.set(key, [phrase]);
  }
  return { byPrefix, firstUnits: new Set(phrases.map(({ parts }) => (parts[0] ?? '').charCodeAt(0))) };
}
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

function phraseOf(kind: Kind, source: string, language: string, isGlued: boolean): Phrase {
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
      if (found === null || !sentence.startsWith(part, found)) return null;
      at = found + part.length;
    }
    before = part;
  }
  return before === '*' || isGlued || !isWithinWord(sentence, at) ? at : null;
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
  if (!isLetter(text, at - 1) || !isLetter(text, at)) return false;
  return text.charCodeAt(at - 1) < spacelessMin === text.charCodeAt(at) < spacelessMin;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return code >= 0x80 && letter.test(text[at] ?? '');
}

// A text is walked once for all of some four thousand phrases. Made when the process starts rather than
// during its first check. Inside a word only those of languages that write without spaces may begin.
const phrases = allPhrases();
const all = indexOf(phrases);
const glued = indexOf(phrases.filter(({ isGlued }) => isGlued));
