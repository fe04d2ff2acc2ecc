import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Db, Trx } from '../../db/connect.ts';
import * as idempotency from '../../db/idempotency.ts';
import type { SecretBox } from '../../secret-box.ts';
import type { Context } from '../context.ts';
import { callerOf } from './authenticate.ts';
import { ApiError, validationError } from './errors.ts';
import { type Reply, sendJson } from './reply.ts';

/** The key of a request, to be claimed in the transaction that charges and told what came of it. */
export interface KeyClaim {
  /** Throws when another request took the key first; nothing may be charged then. */
  claim(trx: Trx): Promise<void>;
  keep(trx: Trx, what: { batchId?: string; requestId?: number; reply?: Reply }): Promise<void>;
}

const bodyHashes = new WeakMap<IncomingMessage, Buffer>();

/** For express.json's `verify`: the fingerprint is taken from the bytes as they came. */
export function rememberBody(req: IncomingMessage, _res: unknown, bytes: Buffer): void {
  bodyHashes.set(req, createHash('sha256').update(bytes).digest());
}

/**
 * Answers a POST, once per Idempotency-Key: a repeated request gets the kept answer to the byte, `warnings` included.
 * Without the header it just acts. Only 2xx answers are kept (DESIGN.md section 4), and sealed, for some hold a secret.
 */
export async function answerOnce(
  context: Pick<Context, 'db' | 'box'>,
  req: Request,
  res: Response,
  act: (key: KeyClaim) => Promise<Reply>,
  warnings: string[] = [],
): Promise<void> {
  const key = readKey(req.get('idempotency-key'));
  if (key === null) return send(res, withWarnings(await act(noKey), warnings));
  const ref = { accountId: callerOf(req).accountId, key };
  const answer = await actOnce(context, ref, fingerprint(req), act, warnings);
  if (answer.isReplayed) res.set('Idempotent-Replayed', 'true');
  sendJson(res, answer.status, answer.body);
}

/** What came of an act, as text, now or the first time. */
export interface KeptReply {
  status: number;
  body: string;
  isReplayed: boolean;
}

/** Acts once per key, whoever asks: an endpoint for its caller, or a form that may be sent twice. */
export async function actOnce(
  { db, box }: Pick<Context, 'db' | 'box'>,
  ref: idempotency.KeyRef,
  print: Buffer,
  act: (key: KeyClaim) => Promise<Reply>,
  warnings: string[] = [],
): Promise<KeptReply> {
  const kept = await replay(db, box, ref, print);
  if (kept) return kept;
  try {
    const { status, body } = withWarnings(await act(claimOf(box, ref, print, warnings)), warnings);
    return { status, body: JSON.stringify(body), isReplayed: false };
  } catch (error) {
    if (!(error instanceof KeyTakenError || error instanceof ApiError)) throw error;
    // Whoever took the key meanwhile has committed: its answer is there now, or a refund has freed the key again. It may
    // also be why we were refused, as when a batch that was to be retried has been retried.
    const first = await replay(db, box, ref, print);
    if (first) return first;
    throw error instanceof KeyTakenError ? stillRunning() : error;
  }
}

class KeyTakenError extends Error {}

/** For an act that has no key, or needs none since it happens once by itself. */
export const noKey: KeyClaim = { claim: async () => {}, keep: async () => {} };

function claimOf(box: SecretBox, ref: idempotency.KeyRef, print: Buffer, warnings: string[]): KeyClaim {
  return {
    claim: async (trx) => {
      if (!(await idempotency.claim(trx, ref, print))) throw new KeyTakenError();
    },
    keep: (trx, { reply, ...subject }) =>
      idempotency.keep(trx, ref, {
        ...subject,
        ...(reply ? { answer: sealed(box, withWarnings(reply, warnings)) } : {}),
      }),
  };
}

function withWarnings(reply: Reply, warnings: string[]): Reply {
  return warnings.length > 0 ? { ...reply, body: { ...reply.body, warnings } } : reply;
}

function sealed(box: SecretBox, { status, body }: Reply): { status: number; body: Buffer } {
  return { status, body: box.seal(JSON.stringify(body)) };
}

async function replay(
  db: Db,
  box: SecretBox,
  ref: idempotency.KeyRef,
  print: Buffer,
): Promise<KeptReply | null> {
  const kept = await idempotency.find(db, ref);
  if (!kept) return null;
  if (!kept.fingerprint.equals(print)) {
    throw new ApiError(
      409,
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request within 24 hours. Use a new key for a new request.',
    );
  }
  if (!kept.answer) throw stillRunning();
  return { status: kept.answer.status, body: box.open(kept.answer.body), isReplayed: true };
}

function stillRunning(): ApiError {
  return new ApiError(
    409,
    'still_running',
    'The first request with this Idempotency-Key is still running. Ask again in 2 seconds.',
    { headers: { 'Retry-After': '2' } },
  );
}

function send(res: Response, { status, body }: Reply): void {
  sendJson(res, status, JSON.stringify(body));
}

/** Bare, or quoted as the IETF draft has it (draft-ietf-httpapi-idempotency-key-header). */
function readKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw validationError({ 'Idempotency-Key': ['Must be 1 to 255 printable ASCII characters.'] });
}

function fingerprint(req: Request): Buffer {
  const body = bodyHashes.get(req) ?? Buffer.alloc(0);
  return createHash('sha256').update(`${req.method} ${req.originalUrl}\n`).update(body).digest();
}
