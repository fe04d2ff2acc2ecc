/**
 * Normalises text so that it can be compared with phrases. The result is NFKC in lower case. It has one kind of
 * apostrophe, and no diacritics of European scripts, vowel points or invisible characters. Letters that Arabic and
 * Persian keyboards write differently become equal. Line breaks stay. `4 0 4` becomes `404`, also if the 0 is an emoji.
 */
export function normalise(text: string): string {
  if (plainText.test(text)) return collapseSpaces(text.toLowerCase().replaceAll('`', "'"));
  const folded = toNfkc(text)
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(dropped, '')
    .normalize('NFC')
    .replaceAll(foldedLetters, (letter) => letterFolds.get(letter) ?? letter);
  return collapseSpaces(folded);
}

/** Returns the NFKC of a text. It may be 18 times as long as the text. Long runs of combining marks are cut. */
export function toNfkc(text: string): string {
  return plainText.test(text) ? text : text.replaceAll(longMarks, '$1').normalize('NFKC');
}

// Limit of the stream-safe format (UAX #15). Normalising a long run takes quadratic time.
const longMarks = /(\p{M}{30})\p{M}+/gu;

const plainText = /^[\n\x20-\x7e]*$/;

function collapseSpaces(text: string): string {
  // Most text has only single spaces. The test is faster than the replacement.
  const spaced = unusualSpace.test(text) ? text.replaceAll(/[^\S\n]+/gu, ' ') : text;
  return spaced.includes('4') ? spaced.replaceAll(brokenNumber, '404') : spaced;
}

const unusualSpace = /[^\S\n ]| {2}/u;
const brokenNumber = /\b4 0 4\b|4 ?\p{Extended_Pictographic} ?4/gu;

// The voicing marks of kana stay, because they distinguish letters.
const dropped =
  /[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]]--[\u{3099}\u{309a}]]|\p{Cf}|\u0640|\u093c|\u09bc/gv;

// `letterPairs` maps each letter of the first string to the letter at the same index of the second string.
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
