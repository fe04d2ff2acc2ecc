import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Db, Trx } from '../db/connect.ts';
import * as idempotency from '../db/idempotency.ts';
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
 * Without the header it just acts. Only 2xx answers are kept (DESIGN.md section 4).
 */
export async function answerOnce(
  db: Db,
  req: Request,
  res: Response,
  act: (key: KeyClaim) => Promise<Reply>,
  warnings: string[] = [],
): Promise<void> {
  const key = readKey(req.get('idempotency-key'));
  if (key === null) return send(res, withWarnings(await act(noKey), warnings));

  const ref = { accountId: callerOf(req).accountId, key };
  const print = fingerprint(req);
  if (await replay(db, ref, print, res)) return;
  try {
    send(res, withWarnings(await act(claimOf(ref, print, warnings)), warnings));
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    // Whoever took it has committed, so it is there now, or was freed again by a refund.
    if (!(await replay(db, ref, print, res))) throw stillRunning();
  }
}

class KeyTakenError extends Error {}

const noKey: KeyClaim = { claim: async () => {}, keep: async () => {} };

function claimOf(ref: idempotency.KeyRef, print: Buffer, warnings: string[]): KeyClaim {
  return {
    claim: async (trx) => {
      if (!(await idempotency.claim(trx, ref, print))) throw new KeyTakenError();
    },
    keep: (trx, { reply, ...subject }) =>
      idempotency.keep(trx, ref, {
        ...subject,
        ...(reply ? { answer: textOf(withWarnings(reply, warnings)) } : {}),
      }),
  };
}

function withWarnings(reply: Reply, warnings: string[]): Reply {
  return warnings.length > 0 ? { ...reply, body: { ...reply.body, warnings } } : reply;
}

function textOf({ status, body }: Reply): { status: number; body: string } {
  return { status, body: JSON.stringify(body) };
}

async function replay(db: Db, ref: idempotency.KeyRef, print: Buffer, res: Response): Promise<boolean> {
  const kept = await idempotency.find(db, ref);
  if (!kept) return false;
  if (!kept.fingerprint.equals(print)) {
    throw new ApiError(
      409,
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request within 24 hours. Use a new key for a new request.',
    );
  }
  if (!kept.answer) throw stillRunning();
  res.set('Idempotent-Replayed', 'true');
  sendJson(res, kept.answer.status, kept.answer.body);
  return true;
}

function stillRunning(): ApiError {
  return new ApiError(
    409,
    'still_running',
    'The first request with this Idempotency-Key is still running. Ask again in 2 seconds.',
    { headers: { 'Retry-After': '2' } },
  );
}

function send(res: Response, reply: Reply): void {
  const { status, body } = textOf(reply);
  sendJson(res, status, body);
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
