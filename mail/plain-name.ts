import { emailLengthMax } from '../schemas/person.ts';

const lengthMax = 60;
const joiner = '\u2060';

/**
 * Makes the name that a user chose safe for mails to other people. The result is one line of at most 60 characters. It
 * has zero-width characters in addresses, so that email programs do not create links.
 */
export function toPlainName(text: string): string {
  return toShortLine(text).replace(/(?<=\S)([.@:]|\/)(?=\S)/g, `${joiner}$1${joiner}`);
}

/**
 * Returns the path and query of a URL as one line of at most 60 characters, for users to copy. Returns an empty text if
 * an email program could create a link from a part of it.
 */
export function toPlainPath(url: string): string {
  const path = toShortLine(url.replace(/^https?:\/\/[^/]+(?=\/)/, ''));
  return /^[^.@:]*(\.(html?|php|aspx?)([?#][^.@:]*)?)?$/.test(path) ? path : '';
}

function toShortLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...line];
  return letters.length > lengthMax ? `${letters.slice(0, lengthMax - 1).join('')}…` : line;
}

/** Returns whether a text is one address. A display name, a comma or a line break is not allowed. */
export function isMailAddress(address: string): boolean {
  // The length is checked first, because the pattern takes quadratic time.
  if (address.length > emailLengthMax || !address.isWellFormed()) return false;
  const isOne = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+\.[^\s@,;:<>()[\]"\\]+$/.test(address);
  return isOne && !/[\p{Cc}\p{Cf}]/u.test(address);
}
