import { createHash, randomBytes } from 'node:crypto';

declare const hashed: unique symbol;
/** SHA-256 of a key, token or code, as it is stored. */
export type HashedKey = Buffer & { readonly [hashed]: true };

/** Returns 256 random bits for a link or a cookie, in base64url. */
export function randomKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns true if a text has the form of a key. Other texts need no query. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/** Hashes a key with SHA-256. A key of 80 or more random bits needs no salt and no slow hash. */
export function hashKey(key: string): HashedKey {
  return createHash('sha256').update(key).digest() as HashedKey;
}
