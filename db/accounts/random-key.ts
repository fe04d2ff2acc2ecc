import { createHash, randomBytes } from 'node:crypto';

declare const hashed: unique symbol;
/** A key as it is stored and looked for: its SHA-256. */
export type HashedKey = Buffer & { readonly [hashed]: true };

/** A key that nobody has had: 256 random bits, as they stand in a link or a cookie. */
export function randomKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether a text could be a key, so that others are refused without a query. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/** No salt and no slow hash: 256 bits need neither. */
export function hashKey(key: string): HashedKey {
  return createHash('sha256').update(key).digest() as HashedKey;
}
