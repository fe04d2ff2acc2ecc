import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { checkRight, inOpenAccount } from '../../db/accounts/open-account.ts';
import type { Authorization, RightsOf } from '../../db/accounts/rights.ts';
import * as idempotency from '../../db/batches/idempotency.ts';
import { InsufficientCreditsError } from '../../db/ledger/ledger.ts';
import { TokenLimitError } from '../../db/ledger/token-spending.ts';
import type { Trx } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Context } from '../context.ts';
import { callerOf } from './authenticate.ts';
import { validationError } from './errors.ts';
import { authorizationOf } from './permit.ts';
import { type KeptReply, type Reply, sendJson, textOf } from './reply.ts';

/** A key with the request it stands for. */
export interface Key extends idempotency.KeyRef {
  /** SHA-256 of what was asked; another one under the same key is another request. */
  fingerprint: Buffer;
}

/** What a request does at most once per key. */
export interface Work<P, T> {
  /** Runs before the transaction: what a rollback does not undo, such as request ids. A repeated request skips it. */
  prepare?: () => Promise<P>;
  act: (trx: Trx, prepared: P) => Promise<T>;
  /** Rights that it takes away. */
  takesFrom?: readonly RightsOf[];
  toReply: (result: T) => Reply;
  /** Added to the body of the answer. */
  warnings?: string[];
}

/** The result of work that was done now, or null when an earlier answer is repeated. */
export interface Done<T> {
  result: T | null;
  reply: KeptReply;
}

class KeyTakenError extends Error {}

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

/**
 * Does work at most once per key: right, key, work and the answer to repeat commit together. Without a key it just
 * does it. A repeated request gets the kept answer to the byte. Throws AccountClosedError, CredentialEndedError and
 * MissingRightError.
 */
export async function once<P, T>(
  context: Pick<Context, 'db' | 'box' | 'acceptance' | 'failPoint'>,
  authorization: Authorization,
  key: Key | null,
  { prepare, act, takesFrom, toReply, warnings }: Work<P, T>,
): Promise<Done<T>> {
  const kept = await findAnswer(context, authorization, key);
  if (kept) return kept;
  try {
    const prepared = (await prepare?.()) as P;
    const transact = async (trx: Trx): Promise<Done<T>> => {
      if (key) await claim(trx, key);
      const result = await act(trx, prepared);
      const reply = textOf(toReply(result), warnings);
      if (key) await keep(trx, context.box, key, reply);
      return { result, reply };
    };
    // At most half of a process's connections are in acceptance at once.
    const done = await context.acceptance.run(authorization.accountId, () =>
      inOpenAccount(context.db, authorization, transact, { takesFrom }),
    );
    context.failPoint('before_answer');
    return done;
  } catch (error) {
    return findAnswerAfter(context, authorization, key, error);
  }
}

/** Answers a request by work that is done at most once per Idempotency-Key. Returns null when nothing was done now. */
export async function answerOnce<P, T>(
  context: Parameters<typeof once>[0],
  req: Request,
  res: Response,
  work: Work<P, T>,
): Promise<T | null> {
  const done = await once(context, authorizationOf(req), keyOf(req), work);
  sendDone(res, done);
  return done.result;
}

/** Sends the answer, and says so when it is an earlier one. */
export function sendDone(res: Response, { result, reply }: Done<unknown>): void {
  if (result === null) res.set('Idempotent-Replayed', 'true');
  sendJson(res, reply.status, reply.body);
}

/**
 * Finds the answer kept under a key; null without a key, or when it is new. The answer may hold a secret, so it takes
 * the same right. Throws a 409 for another request, and for one still running.
 */
export async function findAnswer(
  context: Pick<Context, 'db' | 'box'>,
  authorization: Authorization,
  key: Key | null,
): Promise<Done<never> | null> {
  const reply = key && (await replay(context, key));
  if (!reply) return null;
  await checkRight(context.db, authorization);
  return { result: null, reply };
}

/**
 * After work that failed: the answer of the request that took the key meanwhile, else the error. That request may also
 * be why this one was refused, as when a batch has been retried by now.
 */
export async function findAnswerAfter(
  context: Pick<Context, 'db' | 'box'>,
  authorization: Authorization,
  key: Key | null,
  error: unknown,
): Promise<Done<never>> {
  const kinds = [KeyTakenError, ApiError, InsufficientCreditsError, TokenLimitError];
  if (!kinds.some((kind) => error instanceof kind)) throw error;
  const kept = await findAnswer(context, authorization, key);
  if (kept) return kept;
  throw error instanceof KeyTakenError ? stillRunning() : error;
}

async function replay({ db, box }: Pick<Context, 'db' | 'box'>, key: Key): Promise<KeptReply | null> {
  const kept = await idempotency.find(db, key);
  if (!kept) return null;
  if (!key.fingerprint.equals(kept.fingerprint)) {
    throw new ApiError(
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
export async function claim(trx: Trx, key: Key, requestId: number | null = null): Promise<void> {
  if (!(await idempotency.claim(trx, key, key.fingerprint, requestId))) throw new KeyTakenError();
}

/** Keeps the answer to repeat, sealed, because some hold a secret. */
export async function keep(trx: Trx, box: SecretBox, key: Key, { status, body }: KeptReply): Promise<void> {
  await idempotency.keep(trx, key, { status, body: box.seal(body) });
}

/** What was done under the key is not done again, though its answer is lost with the key that it was sealed with. */
function unreadableNow(): ApiError {
  const message =
    'This Idempotency-Key was used within 24 hours, and its answer can no longer be read. Use a new key for a new request.';
  return new ApiError('idempotency_key_reused', message);
}

function stillRunning(): ApiError {
  return new ApiError(
    'still_running',
    'The first request with this Idempotency-Key is still running. Ask again in 2 seconds.',
    { retryAfterSeconds: 2 },
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
