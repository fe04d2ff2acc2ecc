import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';
import type { Question } from './list.ts';
import { ListError } from './list-error.ts';

/** Encodings that spreadsheet programs write, by name in TextDecoder. */
const labels: Record<string, string> = {
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  shift_jis: 'Japanese (Shift JIS)',
  gb18030: 'Simplified Chinese (GBK)',
  big5: 'Traditional Chinese (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-874': 'Thai (Windows-874)',
  'iso-8859-2': 'Central European (ISO 8859-2)',
  'euc-jp': 'Japanese (EUC-JP)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  ibm866: 'Cyrillic (DOS)',
  macintosh: 'Western European (Mac)',
};
const offeredMax = 6;

/** Names of chardet that differ from those above. */
const synonyms: Record<string, string> = { 'iso-8859-1': 'windows-1252', 'iso-8859-9': 'windows-1254' };

/** Letters of languages that are written in Windows-1252. */
const westernLetters = [
  ...['äöüßé', 'àâæçéèêëîïôœùûüÿ', 'áéíóúüñªº', 'áâãàçéêíóôõúüªº', 'àèéìíîòóù', 'ëïéèêöüáóíç'],
  ...['æøåéäö', 'åäöéà', 'àèéíïòóúüç'],
];

/**
 * Detects the encoding of lines that are not UTF-8: the one that chardet is sure of, else Windows-1252 if they look
 * like a language of Western Europe. Otherwise returns a question with readings of a line. Throws ListError if no
 * reading is plausible.
 */
export function detectLegacyEncoding(bytes: Uint8Array): string | Extract<Question, { about: 'encoding' }> {
  const guesses = analyse(bytes)
    .map(({ name, confidence }) => ({ name: toName(name), confidence }))
    .filter(({ name }) => name in labels);
  const [first, second] = guesses;
  const isSure = first && first.confidence >= 50 && first.confidence - (second?.confidence ?? 0) >= 20;
  if (isSure && isSameInBoth(bytes, first.name) && isPlausible(decodeAs(first.name, bytes) ?? ''))
    return first.name === 'iso-8859-2' ? 'windows-1250' : first.name;
  const western = decodeAs('windows-1252', bytes);
  if (western !== null && isWestern(western)) return 'windows-1252';
  return { about: 'encoding', encodings: findReadings(bytes, guesses) };
}

function toName(guess: string): string {
  const name = guess.toLowerCase();
  return synonyms[name] ?? name;
}

/** Windows-1250 and ISO 8859-2 differ in a few letters, and chardet cannot tell them apart. */
function isSameInBoth(bytes: Uint8Array, name: string): boolean {
  if (name !== 'iso-8859-2' && name !== 'windows-1250') return true;
  return decodeAs('windows-1250', bytes) === decodeAs('iso-8859-2', bytes);
}

function decodeAs(name: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isWestern(text: string): boolean {
  const letters = new Set(text.toLowerCase().match(/[^\p{ASCII}\P{L}]/gu) ?? []);
  return (
    isPlausible(text) &&
    westernLetters.some((alphabet) => [...letters].every((one) => alphabet.includes(one)))
  );
}

/**
 * Returns whether a text has no controls, box-drawing characters or half-width letters, no symbols or capitals within
 * words, and no mixed scripts.
 */
function isPlausible(text: string): boolean {
  if (/[\p{Co}\p{Cn}\u2500-\u259f\uff61-\uff9f]|(?![\t\r\n])\p{Cc}/u.test(text)) return false;
  if (/\p{L}[¹³¼½¾¿¡¢¤¦§¨¬¯±¶¸¥ƒ†‡ˆ˜‰]|[¹³¼½¾¤¦§¨¬¯¶¸¥ƒ†‡ˆ‰˜´]\p{L}|\p{Ll}(?!\p{ASCII})\p{Lu}/u.test(text))
    return false;
  if (/\p{L}[„‚”]\p{L}/u.test(text)) return false;
  if (/(?:(?!\p{ASCII})\p{Script=Latin}){4}/u.test(text)) return false;
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.every((word) => scripts.filter((script) => script.test(word)).length <= 1);
}

const scripts = [
  ...[/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Hebrew}/u],
  ...[/\p{Script=Arabic}/u, /\p{Script=Thai}/u, /\p{Script=Hangul}/u],
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
];

/** Returns the encodings that can decode the bytes, the most plausible first, with the first line as each reads it. */
function findReadings(bytes: Uint8Array, guesses: Array<{ name: string; confidence: number }>) {
  const readings = Object.entries(labels).flatMap(([name, label]) => {
    const text = decodeAs(name, bytes);
    if (text === null) return [];
    const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    const confidence = guesses.find((guess) => guess.name === name)?.confidence ?? 0;
    return [
      {
        name,
        label,
        example: (lines[0] ?? '').slice(0, 80),
        rank: (isPlausible(text) ? 100 : 0) + confidence,
      },
    ];
  });
  if (readings.every(({ rank }) => rank < 100))
    throw new ListError(
      'The encoding of this file is unknown. Save it as CSV UTF-8 or .xlsx, and choose it again.',
    );
  const different = readings
    .sort((a, b) => b.rank - a.rank)
    .filter(({ example }, index, all) => all.findIndex((other) => other.example === example) === index);
  return different.slice(0, offeredMax).map(({ name, label, example }) => ({ name, label, example }));
}
