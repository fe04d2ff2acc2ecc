/** What is looked up: it begins with the first of its literals. */
interface Literal {
  parts: readonly string[];
}

/** Phrases by the first units of their first literal, as numbers: a look-up makes no string. */
export type PhraseIndex<Phrase> = {
  /** By code unit, whether a phrase begins with it. */
  firstUnits: Uint8Array;
  /** By `hashOf` the units that a place of a text has to show for a phrase to begin there; others may fall together. */
  sieve: Uint8Array;
  /** Those whose first literal is one unit long. */
  ofOne: ReadonlyMap<number, readonly Phrase[]>;
  byPair: ReadonlyMap<number, PairIndex<Phrase>>;
};

/** Phrases that may begin where two units stand: what to try there, and what if the third is one of these. */
type PairIndex<Phrase> = { phrases: Phrase[]; byThird: Map<number, Phrase[]> };

const none: readonly never[] = [];

/** The phrases that may begin at a place of a text. */
export function candidatesAt<Phrase>(
  { firstUnits, sieve, ofOne, byPair }: PhraseIndex<Phrase>,
  text: string,
  at: number,
): readonly Phrase[] {
  const unit = text.charCodeAt(at);
  if (firstUnits[unit] === 0) return none;
  const [second, third, fourth] = [unitAt(text, at + 1), unitAt(text, at + 2), unitAt(text, at + 3)];
  // Most positions of most texts end here.
  const isSifted =
    sieve[hashOf(unit, second, third, fourth)] === 0 &&
    sieve[hashOf(unit, second, third)] === 0 &&
    sieve[hashOf(unit, second)] === 0 &&
    sieve[hashOf(unit)] === 0;
  if (isSifted) return none;
  const pair = byPair.get(pairKey(unit, second));
  if (!pair) return ofOne.get(unit) ?? none;
  return pair.byThird.get(third) ?? pair.phrases;
}

/** A place in a table of 2^16 for the first four units of a literal or for all it has, which others may share. */
function hashOf(first: number, second = 0, third = 0, fourth = 0): number {
  return (((first * 31 + second) * 37 + third) * 41 + fourth) & 0xffff;
}

function unitAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

function pairKey(first: number, second: number): number {
  return (first << 16) | second;
}

/** Makes the index; the shorter the literal, the earlier its phrase is tried. */
export function indexOf<Phrase extends Literal>(phrases: readonly Phrase[]): PhraseIndex<Phrase> {
  const [firstUnits, sieve] = [new Uint8Array(2 ** 16), new Uint8Array(2 ** 16)];
  const ofOne = new Map<number, Phrase[]>();
  const byPair = new Map<number, PairIndex<Phrase>>();
  const units = (phrase: Phrase) => Math.min(3, literalOf(phrase).length);
  for (const phrase of phrases.toSorted((a, b) => units(a) - units(b))) {
    const literal = literalOf(phrase);
    const [first, second, third] = [unitAt(literal, 0), unitAt(literal, 1), unitAt(literal, 2)];
    firstUnits[first] = 1;
    sieve[hashOf(first, second, third, unitAt(literal, 3))] = 1;
    if (units(phrase) === 1) {
      addTo(ofOne, first, [], phrase);
      continue;
    }
    const key = pairKey(first, second);
    const pair = byPair.get(key) ?? { phrases: [...(ofOne.get(first) ?? [])], byThird: new Map() };
    byPair.set(key, pair);
    if (units(phrase) === 2) pair.phrases.push(phrase);
    else addTo(pair.byThird, third, pair.phrases, phrase);
  }
  return { firstUnits, sieve, ofOne, byPair };
}

function literalOf({ parts }: Literal): string {
  return parts[0] ?? '';
}

function addTo<Phrase>(
  map: Map<number, Phrase[]>,
  key: number,
  before: readonly Phrase[],
  phrase: Phrase,
): void {
  const alike = map.get(key);
  if (alike) alike.push(phrase);
  else map.set(key, [...before, phrase]);
}
