import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

declare const hashed: unique symbol;
/** A token as it is stored and looked for: its SHA-256. */
export type HashedToken = Buffer & { readonly [hashed]: true };

const prefix = 'sonde_';
const testPrefix = 'sonde_test_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;

/** Whether a text could be a token of ours: whoever mistypes one is told so without a query. */
export function isWellFormed(text: string): boolean {
  const begins = text.startsWith(testPrefix) ? testPrefix : prefix;
  const body = text.slice(begins.length, -checksumLength);
  return text.startsWith(begins) && body.length === randomLength && text.endsWith(checksum(begins + body));
}

/** A token that nobody has had: 178 random bits between what it is known by and a checksum. */
export function randomToken(isTest: boolean): string {
  const begins = isTest ? testPrefix : prefix;
  const body = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${begins}${body}${checksum(begins + body)}`;
}

/** CRC32 in base 62, as GitHub's tokens end (github.blog, 5 April 2021). */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** No salt and no slow hash: 178 random bits need neither. */
export function hashToken(token: string): HashedToken {
  return createHash('sha256').update(token).digest() as HashedToken;
}
