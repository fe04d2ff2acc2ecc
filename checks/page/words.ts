/**
 * Estimates the number of words in any script. In scripts without spaces, a word has two characters of Han or kana, or
 * five characters of Thai, Lao, Khmer or Burmese.
 */
export function countWords(text: string): number {
  let words = 0;
  let hans = 0;
  let syllables = 0;
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind === letter && !isInWord) words++;
    if (kind === han) hans++;
    if (kind === syllable) syllables++;
    isInWord = kind === letter;
  }
  return words + Math.ceil(hans / 2) + Math.ceil(syllables / 5);
}

export function collapseSpace(text: string): string {
  return unusualSpace.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text.trim();
}

// Most texts have only single spaces. The test is faster than the replacement.
const unusualSpace = /[^\S ]| {2}/;

/**
 * Collapses white space in each line. Lines are separated by `lineBreak` in the text, and by '\n' in the result. A line
 * that starts with a lower-case letter continues the previous line.
 */
export function collapseLines(text: string): string {
  if (text === '') return '';
  return text.includes(lineBreak)
    ? text
        .split(lineBreak)
        .map(collapseSpace)
        .filter(Boolean)
        .join('\n')
        .replaceAll(/\n(?=\p{Ll})/gu, ' ')
    : collapseSpace(text);
}

/** Separator that stands for `<br>`. It does not occur in texts. */
export const lineBreak = '\u001e';

/**
 * Returns whether a space is needed between two texts that only tags separate. On some pages, only the style sheet
 * separates a number from the next word.
 */
export function needsSpace(before: string, after: string): boolean {
  if (before === '' || before === ' ' || after === ' ' || after === '\n') return false;
  if (/\d/u.test(before)) return /\p{L}/u.test(after);
  if (/\d/u.test(after)) return /\p{L}/u.test(before);
  return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(after);
}

const gap = 0;
const letter = 1;
const han = 2;
const syllable = 3;

// Non-ASCII characters outside of these ranges are letters.
const ranges: readonly (readonly [first: number, last: number, kind: number])[] = [
  [0x80, 0xa9, gap],
  [0xab, 0xb4, gap],
  [0xd7, 0xd7, gap],
  [0xf7, 0xf7, gap],
  [0x0e00, 0x0eff, syllable],
  [0x1000, 0x109f, syllable],
  [0x1780, 0x17ff, syllable],
  [0x2000, 0x200b, gap],
  [0x2010, 0x2bff, gap],
  [0x3000, 0x3004, gap],
  [0x3008, 0x3020, gap],
  [0x3040, 0x30ff, han],
  [0x3400, 0x9fff, han],
  [0xe000, 0xf8ff, gap],
  [0xf900, 0xfaff, han],
  [0xff00, 0xff0f, gap],
  [0xff1a, 0xff20, gap],
];

// Kind of each UTF-16 unit. A table is faster than a search in the ranges.
const kinds = createKindTable();

function createKindTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(letter);
  for (let unit = 0; unit < 0x80; unit++) {
    table[unit] = /[0-9a-z']/iu.test(String.fromCharCode(unit)) ? letter : gap;
  }
  for (const [first, last, kind] of ranges) table.fill(kind, first, last + 1);
  return table;
}
