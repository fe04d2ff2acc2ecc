import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import * as idempotency from '../../db/batches/idempotency.ts';
import type { Db, Trx } from '../../db/postgres/connect.ts';
import type { SecretBox } from '../../process/secret-box.ts';
import { callerOf } from './authenticate.ts';
import { ApiError, validationError } from './errors.ts';

/** A key with the request it stands for. */
export interface Key extends idempotency.KeyRef {
  /** SHA-256 of what was asked; another one under the same key is another request. */
  fingerprint: Buffer;
}

/** What came of a request, as text, now or the first time. */
export interface KeptReply {
  status: number;
  body: string;
}

export class KeyTakenError extends Error {}

const bodyHashes = new WeakMap<IncomingMessage, Buffer>();

/** Notes the SHA-256 of a body's bytes as they came, for the fingerprint of its request. */
export function rememberBody(req: IncomingMessage, sha256: Buffer): void {
  bodyHashes.set(req, sha256);
}

/**
 * The Idempotency-Key of a request, bare, or quoted as the IETF draft has it
 * (draft-ietf-httpapi-idempotency-key-header). Null without one; throws a 422 for what is none.
 */
export function keyOf(req: Request): Key | null {
  const header = req.get('idempotency-key');
  if (header === undefined) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw validationError({ 'Idempotency-Key': ['Must be 1 to 255 printable ASCII characters.'] });
  }
  return { accountId: callerOf(req).accountId, key, fingerprint: fingerprintOf(req) };
}

/** The answer kept under a key; null when it is new. Throws a 409 for another request, and for one still running. */
export async function replay(db: Db, box: SecretBox, key: Key): Promise<KeptReply | null> {
  const kept = await idempotency.find(db, key);
  if (!kept) return null;
  if (!key.fingerprint.equals(kept.fingerprint)) {
    throw new ApiError(
      409,
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request, or by somebody else, within 24 hours. Use a new key for a new request.',
    );
  }
  if (!kept.answer) throw stillRunning();
  const body = box.open(kept.answer.body);
  if (body === null) throw unreadableNow();
  return { status: kept.answer.status, body };
}

/** Takes the key for this request. Throws KeyTakenError when another took it first; nothing may be charged then. */
export async function claim(trx: Trx, key: Key): Promise<void> {
  if (!(await idempotency.claim(trx, key, key.fingerprint))) throw new KeyTakenError();
}

/** Keeps the answer to repeat, sealed, for some hold a secret. */
export async function keep(trx: Trx, box: SecretBox, key: Key, { status, body }: KeptReply): Promise<void> {
  await idempotency.keep(trx, key, { answer: { status, body: box.seal(body) } });
}

/**
 * After an act that failed: the answer of whoever took the key meanwhile, if there is one by now; else what
 * to throw. The other request may also be why this one was refused, as when a batch to be retried has been
 * retried.
 */
export async function replayAfter(db: Db, box: SecretBox, key: Key, error: unknown): Promise<KeptReply> {
  const kept = await replay(db, box, key);
  if (kept) return kept;
  throw error instanceof KeyTakenError ? stillRunning() : error;
}

/** What was done under the key is not done again, though its answer is lost with the key that it was sealed with. */
function unreadableNow(): ApiError {
  const message =
    'This Idempotency-Key was used within 24 hours, and its answer can no longer be read. Use a new key for a new request.';
  return new ApiError(409, 'idempotency_key_reused', message);
}

function stillRunning(): ApiError {
  return new ApiError(
    409,
    'still_running',
    'The first request with this Idempotency-Key is still running. Ask again in 2 seconds.',
    { headers: { 'Retry-After': '2' } },
  );
}

/**
 * Covers the caller as well, because an answer may hold a secret: a person with any of their tokens, or a token that is
 * nobody's. Requests of test and live tokens differ.
 */
function fingerprintOf(req: Request): Buffer {
  const { userId, tokenId, isTest } = callerOf(req);
  const caller = userId === null ? `token ${tokenId}` : `user ${userId}`;
  const body = bodyHashes.get(req) ?? Buffer.alloc(0);
  return createHash('sha256')
    .update(`${caller} ${isTest}\n${req.method} ${req.originalUrl}\n`)
    .update(body)
    .digest();
}
