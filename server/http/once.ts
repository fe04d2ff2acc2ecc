import type { Request, Response } from 'express';
import { checkRight, inOpenAccount } from '../../db/accounts/open-account.ts';
import type { Authorization } from '../../db/accounts/rights.ts';
import { InsufficientCreditsError } from '../../db/ledger/ledger.ts';
import { TokenLimitError } from '../../db/ledger/token-spending.ts';
import type { Act } from '../../db/postgres/act.ts';
import type { Trx } from '../../db/postgres/connect.ts';
import { Refused } from '../../process/refused.ts';
import type { Context } from '../context.ts';
import { ApiError } from './errors.ts';
import {
  claim,
  type KeptReply,
  type Key,
  KeyTakenError,
  keep,
  keyOf,
  replay,
  replayAfter,
} from './idempotency.ts';
import { authorizationOf } from './permit.ts';
import { type Reply, sendJson, textOf } from './reply.ts';

type OnceContext = Pick<Context, 'db' | 'box' | 'acceptance' | 'failPoint'>;

/** What came of an act: its result when it was done now, or null when an earlier answer is repeated. */
export interface Done<T> {
  result: T | null;
  reply: KeptReply;
}

/**
 * Answers a request by an act, once per Idempotency-Key: the caller's right, the key, the act and the answer to repeat
 * stand in one transaction. A repeated request gets the kept answer to the byte, `warnings` included, and takes no
 * allowance. Answers the act's result, or null when nothing was done now.
 */
export async function once<T>(
  context: OnceContext,
  req: Request,
  res: Response,
  act: Act<T>,
  toReply: (result: T) => Reply,
  warnings: string[] = [],
): Promise<T | null> {
  const done = await doOnce(context, authorizationOf(req), keyOf(req), act, toReply, warnings);
  sendDone(res, done);
  return done.result;
}

/** Sends what came of an act, and says so when it is an earlier answer. */
export function sendDone(res: Response, { result, reply }: Done<unknown>): void {
  if (result === null) res.set('Idempotent-Replayed', 'true');
  sendJson(res, reply.status, reply.body);
}

/**
 * The same for a caller with a key of its own, such as a form that may be sent twice; without one it just acts. Throws
 * AccountClosedError, CredentialEndedError and MissingRightError (`inOpenAccount`).
 */
export async function doOnce<T>(
  { db, box, acceptance, failPoint }: OnceContext,
  authorization: Authorization,
  key: Key | null,
  act: Act<T>,
  toReply: (result: T) => Reply,
  warnings: string[] = [],
): Promise<Done<T>> {
  const perform = async (trx: Trx) => {
    if (key) await claim(trx, key);
    const result = await act.perform(trx);
    return { result, reply: textOf(toReply(result), warnings) };
  };
  const keepReply = async (trx: Trx, { reply }: Done<T>) => {
    if (key) await keep(trx, box, key, reply);
  };
  return unlessKept({ db, box }, authorization, key, async () => {
    await act.before?.();
    // At most half of a process's connections are in acceptance at once.
    const done = await acceptance(() =>
      inOpenAccount(db, authorization, perform, { ...act, last: keepReply }),
    );
    failPoint('before_answer');
    return done;
  });
}

/**
 * Acts unless there is an answer under the key, before or by the time the act was refused. An earlier answer may hold a
 * secret, so it takes the same right. For acts of two steps, which claim the key, keep the answer and check the right
 * by themselves; the others go by `once`.
 */
export async function unlessKept<T>(
  { db, box }: Pick<Context, 'db' | 'box'>,
  authorization: Authorization,
  key: Key | null,
  act: () => Promise<Done<T>>,
): Promise<Done<T>> {
  if (key === null) return act();
  const kept = await replay(db, box, key);
  if (kept) {
    await checkRight(db, authorization);
    return { result: null, reply: kept };
  }
  try {
    return await act();
  } catch (error) {
    const kinds = [KeyTakenError, ApiError, Refused, InsufficientCreditsError, TokenLimitError];
    const mayBeKept = kinds.some((kind) => error instanceof kind);
    if (!mayBeKept) throw error;
    const reply = await replayAfter(db, box, key, error);
    await checkRight(db, authorization);
    return { result: null, reply };
  }
}
