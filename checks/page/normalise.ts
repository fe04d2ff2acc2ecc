/**
 * Normalises text to compare it with phrases: NFKC, lower case, no diacritics of European scripts, no vowel points or
 * invisible characters, one kind of apostrophe, and one form of letters that Arabic and Persian keyboards write
 * differently. Line breaks stay. `4 0 4`, or a picture in place of the 0, becomes `404`.
 */
export function normalise(text: string): string {
  // Plain text needs no folding, and most text is plain.
  if (plainText.test(text)) return collapseSpaces(text.toLowerCase().replaceAll('`', "'"));
  const folded = toNfkc(text)
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(dropped, '')
    .normalize('NFC')
    .replaceAll(foldedLetters, (letter) => letterFolds.get(letter) ?? letter);
  return collapseSpaces(folded);
}

/** Returns the NFKC of a text, which may be 18 times as long. Long runs of combining marks are cut. */
export function toNfkc(text: string): string {
  return plainText.test(text) ? text : text.replaceAll(longMarks, '$1').normalize('NFKC');
}

// Limit of the stream-safe format (UAX #15). Normalising a long run takes quadratic time.
const longMarks = /(\p{M}{30})\p{M}+/gu;

const plainText = /^[\n\x20-\x7e]*$/;

function collapseSpaces(text: string): string {
  // Most text has only single spaces, and the test is faster than the replacement.
  const spaced = unusualSpace.test(text) ? text.replaceAll(/[^\S\n]+/gu, ' ') : text;
  return spaced.includes('4') ? spaced.replaceAll(brokenNumber, '404') : spaced;
}

const unusualSpace = /[^\S\n ]| {2}/u;
const brokenNumber = /\b4 0 4\b|4 ?\p{Extended_Pictographic} ?4/gu;

// Kana keep their voicing marks, which distinguish letters.
const dropped =
  /[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]]--[\u{3099}\u{309a}]]|\p{Cf}|\u0640|\u093c|\u09bc/gv;

// `letterPairs` maps each letter of the first string to the one at the same index of the second.
const letterFolds: ReadonlyMap<string, string> = new Map([
  ...[...'’‘`´ʼʻ'].map((mark) => [mark, "'"] as const),
  ...letterPairs('łøđðıىیېکہةأإآٱ', 'lodoiيييكههاااا'),
  ...letterPairs('\u0901\u0981', '\u0902\u0982'),
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
]);
const foldedLetters = new RegExp(`[${[...letterFolds.keys()].join('')}]`, 'gu');

function letterPairs(from: string, to: string): [string, string][] {
  return [...from].map((letter, index) => [letter, [...to][index] ?? letter]);
}
