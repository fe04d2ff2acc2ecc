import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { checkRight, inOpenAccount } from '../../db/accounts/open-account.ts';
import type { Authorization, RightsHolder } from '../../db/accounts/rights.ts';
import * as idempotency from '../../db/batches/idempotency.ts';
import type { Trx } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Context } from '../context.ts';
import { getCaller } from './authenticate.ts';
import { validationError } from './errors.ts';
import { getAuthorization } from './permit.ts';
import { type Reply, type SerializedReply, sendJson, serializeReply } from './reply.ts';
import { unknownFieldWarnings } from './warnings.ts';

/** An Idempotency-Key with the fingerprint of its request. */
export interface IdempotencyKey extends idempotency.KeyRef {
  /** SHA-256 of the request. It detects that another request has the same key. */
  fingerprint: Buffer;
}

/** Work that runs at most once per key. */
interface IdempotentWork<P, T> {
  /**
   * Runs before the transaction, for work that a rollback does not undo, such as reserving request ids. Does not run
   * for a repeated request.
   */
  prepare?: () => Promise<P>;
  run: (trx: Trx, prepared: P) => Promise<T>;
  /** Credentials whose rights the work reduces. */
  revokesFrom?: readonly RightsHolder[];
  toReply: (result: T) => Reply;
  warnings?: string[];
}

/** Result of the work. `result` is null if a stored answer is repeated. */
export interface IdempotentResult<T> {
  result: T | null;
  reply: SerializedReply;
}

class KeyTakenError extends Error {}

const bodyHashes = new WeakMap<IncomingMessage, Buffer>();

export function recordBodyHash(req: IncomingMessage, sha256: Buffer): void {
  bodyHashes.set(req, sha256);
}

/**
 * Reads the Idempotency-Key of a request, with or without quotes (draft-ietf-httpapi-idempotency-key-header). Throws
 * ApiError `validation_failed` if it is invalid.
 */
export function readIdempotencyKey(req: Request): IdempotencyKey | null {
  const header = req.get('idempotency-key');
  if (header === undefined) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw validationError({ 'Idempotency-Key': ['Must be 1 to 255 printable ASCII characters.'] });
  }
  return { accountId: getCaller(req).accountId, key, fingerprint: toFingerprint(req) };
}

/**
 * Runs work at most once per key. Checks the caller's right, runs the work and stores the answer in one transaction. If
 * the key is null, the work runs for each request. A repeated request gets the stored answer byte for byte. Throws
 * AccountClosedError, CredentialEndedError and MissingRightError.
 */
export async function runOnce<P, T>(
  context: Pick<Context, 'db' | 'secretBox' | 'acceptanceLimit' | 'failPoint'>,
  authorization: Authorization,
  key: IdempotencyKey | null,
  { prepare, run, revokesFrom, toReply, warnings }: IdempotentWork<P, T>,
): Promise<IdempotentResult<T>> {
  const kept = await findStoredAnswer(context, authorization, key);
  if (kept) return kept;
  try {
    const prepared = (await prepare?.()) as P;
    const act = async (trx: Trx) => {
      if (key) await claimKey(trx, key);
      const result = await run(trx, prepared);
      const reply = serializeReply(toReply(result), warnings);
      if (key) await storeAnswer(trx, context.secretBox, key, reply);
      return { result, reply };
    };
    const done = await context.acceptanceLimit.run(authorization.accountId, () =>
      inOpenAccount(context.db, authorization, act, { revokesFrom }),
    );
    context.failPoint('before_answer');
    return done;
  } catch (error) {
    return findStoredAnswerAfter(context, authorization, key, error);
  }
}

/**
 * Runs work at most once per Idempotency-Key and sends its answer, with warnings about unknown fields. Returns null if
 * a stored answer was sent. The body has `success` and the fields of `toBody`.
 */
export async function answerOnce<P, T>(
  context: Parameters<typeof runOnce>[0],
  req: Request,
  res: Response,
  {
    status = 200,
    toBody,
    ...work
  }: Omit<IdempotentWork<P, T>, 'toReply'> & { status?: number; toBody?: (result: T) => object },
): Promise<T | null> {
  const warnings = [...(work.warnings ?? []), ...unknownFieldWarnings(req)];
  const toReply = (result: T) => ({ status, body: { success: true, ...toBody?.(result) } });
  const answered = { ...work, toReply, warnings };
  const done = await runOnce(context, getAuthorization(req), readIdempotencyKey(req), answered);
  sendIdempotentResult(res, done);
  return done.result;
}

/**
 * Sends the stored answer of a request, or else the answer of `work`. `work` takes longer than a transaction may take.
 * It therefore claims the key and stores the answer itself.
 */
export async function answerUnlessStored(
  context: Pick<Context, 'db' | 'secretBox'>,
  req: Request,
  res: Response,
  work: (authorization: Authorization, key: IdempotencyKey | null) => Promise<IdempotentResult<unknown>>,
): Promise<void> {
  const authorization = getAuthorization(req);
  const key = readIdempotencyKey(req);
  const kept = await findStoredAnswer(context, authorization, key);
  const run = () =>
    work(authorization, key).catch((error) => findStoredAnswerAfter(context, authorization, key, error));
  sendIdempotentResult(res, kept ?? (await run()));
}

export function sendIdempotentResult(res: Response, { result, reply }: IdempotentResult<unknown>): void {
  if (result === null) res.set('Idempotent-Replayed', 'true');
  sendJson(res, reply.status, reply.body);
}

/**
 * Finds the stored answer of a key. Returns null without a key, and for a key that no request has used. Checks the
 * caller's right, because the answer may contain a secret. Throws if another request has the key, or if the first
 * request is still running.
 */
async function findStoredAnswer(
  { db, secretBox }: Pick<Context, 'db' | 'secretBox'>,
  authorization: Authorization,
  key: IdempotencyKey | null,
): Promise<IdempotentResult<never> | null> {
  const kept = key && (await idempotency.find(db, key));
  if (!kept) return null;
  if (!key.fingerprint.equals(kept.fingerprint)) {
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request, or by another person or token, in the last 24 hours. Use a new key for a new request.',
    );
  }
  if (!kept.answer) throw createInProgressError();
  const body = secretBox.open(kept.answer.body);
  if (body === null) throw unreadableNow();
  await checkRight(db, authorization);
  return { result: null, reply: { status: kept.answer.status, body } };
}

/**
 * Call this after work has failed. A concurrent request with the same key may be the cause, for example if both retry
 * the same batch. Returns the stored answer of the other request. If there is no stored answer, throws `error`.
 */
async function findStoredAnswerAfter(
  context: Pick<Context, 'db' | 'secretBox'>,
  authorization: Authorization,
  key: IdempotencyKey | null,
  error: unknown,
): Promise<IdempotentResult<never>> {
  if (!(error instanceof KeyTakenError || error instanceof ApiError)) throw error;
  const kept = await findStoredAnswer(context, authorization, key);
  if (kept) return kept;
  throw error instanceof KeyTakenError ? createInProgressError() : error;
}

/**
 * Claims the key for this request. Throws KeyTakenError, which rolls back the transaction, if another request has it.
 */
export async function claimKey(
  trx: Trx,
  key: IdempotencyKey,
  requestId: number | null = null,
): Promise<void> {
  if (!(await idempotency.claim(trx, key, key.fingerprint, requestId))) throw new KeyTakenError();
}

/** Stores the answer encrypted, because some answers contain a secret. */
export async function storeAnswer(
  trx: Trx,
  secretBox: SecretBox,
  key: IdempotencyKey,
  { status, body }: SerializedReply,
): Promise<void> {
  await idempotency.saveResponse(trx, key, { status, body: secretBox.seal(body) });
}

/** Error for a stored answer that cannot be decrypted, because SECRET_KEY has changed. The work must not run again. */
function unreadableNow(): ApiError {
  const message =
    'This request was already processed, but its response can no longer be read. ' +
    'Check your batches, history and monitors before you send it again with a new key.';
  return new ApiError('idempotency_key_reused', message);
}

function createInProgressError(): ApiError {
  return new ApiError(
    'still_running',
    'The first request with this Idempotency-Key is still running. Try again in 2 seconds.',
    { retryAfterSeconds: 2 },
  );
}

/**
 * The fingerprint includes the caller, because an answer may contain a secret. All tokens of a user are the same
 * caller. A token without a user is a caller of its own. Requests with test and live tokens get different fingerprints.
 */
function toFingerprint(req: Request): Buffer {
  const { userId, tokenId, isTest } = getCaller(req);
  const caller = userId === null ? `token ${tokenId}` : `user ${userId}`;
  const body = bodyHashes.get(req) ?? Buffer.alloc(0);
  return createHash('sha256')
    .update(`${caller} ${isTest}\n${req.method} ${req.originalUrl}\n`)
    .update(body)
    .digest();
}
