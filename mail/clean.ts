import { emailLengthMax } from '../schemas/person.ts';

const lengthMax = 60;
const joiner = '\u2060';

/**
 * What somebody calls something, fit to stand in a mail to others: one line of 60 characters at most that no mail
 * program makes a link of. Between the parts of what looks like an address stands a character without width.
 */
export function plainName(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...line];
  const short = letters.length > lengthMax ? `${letters.slice(0, lengthMax - 1).join('')}…` : line;
  return short.replace(/(?<=\S)([.@:]|\/)(?=\S)/g, `${joiner}$1${joiner}`);
}

/** An address as a mail may be sent to: one, without a line break, a comma or a name. */
export function isSendable(address: string): boolean {
  // Before the pattern, which takes time with the square of the length.
  if (address.length > emailLengthMax || !address.isWellFormed()) return false;
  const isOne = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+\.[^\s@,;:<>()[\]"\\]+$/.test(address);
  return isOne && !/[\p{Cc}\p{Cf}]/u.test(address);
}
