/**
 * Text as phrases are compared: NFKC, lower case, without diacritics of the European scripts, vowel points or
 * invisible characters; one kind of apostrophe; one form of the letters Arabic and Persian keyboards write
 * differently. Line breaks stay. A 404 in pieces, one of them a picture, becomes one again.
 */
export function normalise(text: string): string {
  // Most text is plain, and has nothing to fold.
  if (plainText.test(text)) return tidy(text.toLowerCase().replaceAll('`', "'"));
  const folded = toNfkc(text)
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(dropped, '')
    .normalize('NFC')
    .replaceAll(foldedLetters, (letter) => letterFolds.get(letter) ?? letter);
  return tidy(folded);
}

/** A text's NFKC, which may be eighteen times as long. Plain text is its own. Long runs of marks are cut. */
export function toNfkc(text: string): string {
  return plainText.test(text) ? text : text.replaceAll(longMarks, '$1').normalize('NFKC');
}

// As in the stream-safe format (UAX #15): normalising takes time with the square of a run's length.
const longMarks = /(\p{M}{30})\p{M}+/gu;

const plainText = /^[\n\x20-\x7e]*$/;

function tidy(text: string): string {
  // Most text is tidy, and finding that out is quicker than replacing each space by itself.
  const spaced = untidy.test(text) ? text.replaceAll(/[^\S\n]+/gu, ' ') : text;
  return spaced.includes('4') ? spaced.replaceAll(brokenNumber, '404') : spaced;
}

const untidy = /[^\S\n ]| {2}/u;
const brokenNumber = /\b4 0 4\b|4 ?\p{Extended_Pictographic} ?4/gu;

// Kana keep their voicing marks, which are letters to the reader.
const dropped =
  /[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]]--[\u{3099}\u{309a}]]|\p{Cf}|\u0640|\u093c|\u09bc/gv;

// Letter by letter: what the left string holds becomes what the right one holds at the same place.
const letterFolds: ReadonlyMap<string, string> = new Map([
  ...[...'’‘`´ʼʻ'].map((mark) => [mark, "'"] as const),
  ...pairs('łøđðıىیېکہةأإآٱ', 'lodoiيييكههاااا'),
  ...pairs('\u0901\u0981', '\u0902\u0982'),
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
]);
const foldedLetters = new RegExp(`[${[...letterFolds.keys()].join('')}]`, 'gu');

function pairs(from: string, to: string): [string, string][] {
  return [...from].map((letter, index) => [letter, [...to][index] ?? letter]);
}
