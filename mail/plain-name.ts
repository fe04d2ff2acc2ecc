import { emailLengthMax } from '../schemas/person.ts';

const lengthMax = 60;
const joiner = '\u2060';

/**
 * Makes a name that a user chose safe for mails to other people: one line of at most 60 characters. Zero-width
 * characters in anything that looks like an address keep mail programs from making it a link.
 */
export function toPlainName(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...line];
  const short = letters.length > lengthMax ? `${letters.slice(0, lengthMax - 1).join('')}…` : line;
  return short.replace(/(?<=\S)([.@:]|\/)(?=\S)/g, `${joiner}$1${joiner}`);
}

/** Returns whether a text is a single address, without a display name, comma or line break. */
export function isMailAddress(address: string): boolean {
  // Checks the length first, because the pattern takes quadratic time.
  if (address.length > emailLengthMax || !address.isWellFormed()) return false;
  const isOne = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+\.[^\s@,;:<>()[\]"\\]+$/.test(address);
  return isOne && !/[\p{Cc}\p{Cf}]/u.test(address);
}
