/**
 * How many words a text has, in any script. Scripts that write without spaces are counted by characters: two of Han
 * or kana to a word, five of Thai, Lao, Khmer or Burmese. An estimate that is good enough to tell short from long.
 */
export function countWords(text: string): number {
  let words = 0;
  let han = 0;
  let syllables = 0;
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 0x80 ? (ASCII_KINDS[code] ?? GAP) : kindOf(code);
    if (kind === LETTER && !isInWord) words++;
    if (kind === HAN) han++;
    if (kind === SYLLABLE) syllables++;
    isInWord = kind === LETTER;
  }
  return words + Math.ceil(han / 2) + Math.ceil(syllables / 5);
}

/** White space collapsed to single spaces, ends trimmed. */
export function collapse(text: string): string {
  return UNTIDY.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text.trim();
}

// Most texts are tidy, and finding that out is quicker than replacing each space by itself.
const UNTIDY = /[^\S ]| {2}/;

/**
 * The same line by line, where `LINE_BREAK` parts the lines; they come out with '\n' between them. What goes on in
 * small letters is no new line: that break only shapes the paragraph.
 */
export function collapseLines(text: string): string {
  if (text === '') return '';
  return text.includes(LINE_BREAK)
    ? text
        .split(LINE_BREAK)
        .map(collapse)
        .filter(Boolean)
        .join('\n')
        .replaceAll(/\n(?=\p{Ll})/gu, ' ')
    : collapse(text);
}

/** Stands for `<br>`, which ends a line but not a paragraph; a character no text has use for. */
export const LINE_BREAK = '\u001e';

const GAP = 0;
const LETTER = 1;
const HAN = 2;
const SYLLABLE = 3;

const ASCII_KINDS = Array.from({ length: 0x80 }, (_, code) =>
  /[0-9a-z']/iu.test(String.fromCharCode(code)) ? LETTER : GAP,
);

// Ranges by hand: a property escape per character takes longer than the tokenizer does.
const KINDS: readonly (readonly [first: number, last: number, kind: number])[] = [
  [0x80, 0xa9, GAP],
  [0xab, 0xb4, GAP],
  [0xd7, 0xd7, GAP],
  [0xf7, 0xf7, GAP],
  [0x0e00, 0x0eff, SYLLABLE],
  [0x1000, 0x109f, SYLLABLE],
  [0x1780, 0x17ff, SYLLABLE],
  [0x2000, 0x200b, GAP],
  [0x2010, 0x2bff, GAP],
  [0x3000, 0x3004, GAP],
  [0x3008, 0x3020, GAP],
  [0x3040, 0x30ff, HAN],
  [0x3400, 0x9fff, HAN],
  [0xe000, 0xf8ff, GAP],
  [0xf900, 0xfaff, HAN],
  [0xff00, 0xff0f, GAP],
  [0xff1a, 0xff20, GAP],
];

function kindOf(code: number): number {
  if (code >= 0xac00 && code <= 0xd7af) return LETTER;
  for (const [first, last, kind] of KINDS) {
    if (code < first) return LETTER;
    if (code <= last) return kind;
  }
  return LETTER;
}
