import type { Budget } from '../page/budget.ts';
import { normalise } from '../page/normalise.ts';
import { offerWordings } from './offers.ts';
import { type SharedKind, sharedWordings, wordings } from './phrases.ts';

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

type Phrase = {
  kind: PhraseKind;
  /** ISO 639-1 code; '' for a phrase of all languages. */
  language: string;
  /** True if the phrase may begin and end inside a word. */
  isGlued: boolean;
  source: string;
  /** Literals, `*` (the rest of a word) and `…` (a gap of at most 30 characters). */
  parts: readonly string[];
};

/** Position of a phrase in a sentence. */
export type Hit = { phrase: Phrase; start: number; end: number };

/** Finds the first hundred phrases in a normalised sentence, in the order of their positions. */
export function findHits(sentence: string, budget: Budget): Hit[] {
  const hits: Hit[] = [];
  let isInWord = false;
  for (let at = 0; at < sentence.length && hits.length < hitsMax; at++) {
    const phrases = phrasesAt(isInWord ? gluedPhrases : allPhrases, sentence, at);
    budget.visit(1 + phrases.length);
    for (const phrase of phrases) {
      const end = matchAt(sentence, at, phrase);
      if (end !== null) hits.push({ phrase, start: at, end });
    }
    isInWord = isWithinWord(sentence, at + 1);
  }
  return hits;
}

// Maximum number of hits in a sentence. No sentence that a person wrote has so many phrases.
const hitsMax = 100;

/** Trie of phrases. The keys are the UTF-16 units of their first parts. */
type Trie = { phrases: Phrase[]; next: Map<number, Trie> };

function createTrie(phrases: readonly Phrase[]): Trie {
  const root: Trie = { phrases: [], next: new Map() };
  for (const phrase of phrases) {
    const [literal = ''] = phrase.parts;
    let node = root;
    for (let at = 0; at < literal.length; at++) {
      const unit = literal.charCodeAt(at);
      const next = node.next.get(unit) ?? { phrases: [], next: new Map() };
      node.next.set(unit, next);
      node = next;
    }
    node.phrases.push(phrase);
  }
  return root;
}

/** Returns the phrases whose first part is at an index of a text. */
function phrasesAt(trie: Trie, text: string, at: number): readonly Phrase[] {
  let found: readonly Phrase[] = none;
  let node = trie.next.get(text.charCodeAt(at));
  for (let end = at + 1; node; end++) {
    if (node.phrases.length > 0) found = found.length > 0 ? [...found, ...node.phrases] : node.phrases;
    node = end < text.length ? node.next.get(text.charCodeAt(end)) : undefined;
  }
  return found;
}

const none: readonly never[] = [];

/**
 * Returns the end of a phrase that begins at `start`, or null. Does not backtrack: a part after a gap takes the first
 * place where it fits.
 */
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

const gap = '…';
const gapCharsMax = 30;

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

// A change of script is a word boundary. Korean and Japanese use Latin words such as URL without spaces.
function isWithinWord(text: string, at: number): boolean {
  const script = scriptAt(text, at);
  return script !== noLetter && script === scriptAt(text, at - 1);
}

function isLetter(text: string, at: number): boolean {
  return scriptAt(text, at) !== noLetter;
}

const noLetter = 1;
const spaced = 2;
const unspaced = 3;
/**
 * First unit of the unspaced scripts: Thai. All later letters are treated as unspaced, also letters of Korean and of
 * other scripts that use spaces.
 */
const unspacedMin = 0x0e00;
const letter = /[\p{L}\p{M}\p{N}]/u;

/** Returns `noLetter`, `spaced` or `unspaced`. */
function scriptAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return noLetter;
  const unit = text.charCodeAt(at);
  scripts[unit] ||= detectScript(unit);
  return scripts[unit];
}

/** Script of each UTF-16 unit. 0 until the unit is first used. */
const scripts = new Uint8Array(2 ** 16);

function detectScript(unit: number): number {
  if (!letter.test(String.fromCharCode(unit))) return noLetter;
  return unit < unspacedMin ? spaced : unspaced;
}

function readPhrases(): Phrase[] {
  const own = wordings.flatMap(({ language, isGlued = false, ...words }) =>
    ownKinds.flatMap((kind) => split(words[kind]).map((source) => toPhrase(kind, source, language, isGlued))),
  );
  const shared = sharedKinds.flatMap((kind) =>
    split(sharedWordings[kind]).map((source) => toPhrase(kind, source, '', spaceless.test(source))),
  );
  const glued = new Set(wordings.filter(({ isGlued }) => isGlued).map(({ language }) => language));
  const ofOffers = offerWordings.flatMap(({ language, ...words }) =>
    offerKinds.flatMap(([field, kind]) =>
      split(words[field]).map((source) => toPhrase(kind, source, language, glued.has(language))),
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
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}]/u;

/** Splits phrases at commas. The text may have several lines. */
function split(phrases: string): string[] {
  return phrases
    .split(',')
    .map((phrase) => phrase.replaceAll(/\s+/gu, ' ').trim())
    .filter((phrase) => phrase !== '');
}

function toPhrase(kind: PhraseKind, source: string, language: string, isGlued: boolean): Phrase {
  const parts = source
    .split(/(\*| … )/u)
    .map((part) => (part === ' … ' ? gap : normalise(part)))
    .filter((part) => part !== '');
  return { kind, language, isGlued, source, parts };
}

// The tries are created at the start of the process. Otherwise, the first check would take longer.
const phrases = readPhrases();
const allPhrases = createTrie(phrases);
const gluedPhrases = createTrie(phrases.filter(({ isGlued }) => isGlued));
