import type { Request, RequestHandler, Response } from 'express';
import type { Operation } from '../../schemas/operations/operation.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { getOperation } from '../http/permit.ts';

type AllowanceContext = Pick<Context, 'db' | 'allowance' | 'log'>;

export type AllowanceRule = Pick<Operation, 'unbilledRows' | 'isAlwaysAllowed'>;

// Size of an answer that is stored for an Idempotency-Key, in unbilled rows: a key of up to 255 characters and about
// 500 encrypted bytes.
const rowsPerAnswer = 2;

/**
 * Rejects writes while the allowance of the account is used up, except operations that are always allowed. Records the
 * unbilled rows that a write stores, including the stored answer for an Idempotency-Key. Reads always pass. Throws
 * ApiError `allowance_exhausted`.
 */
export function requireAllowance(context: AllowanceContext): RequestHandler {
  return async (req, res, next) => {
    const operation = getOperation(req);
    if (operation.method === 'get') return next();
    const { accountId } = getCaller(req);
    const storesAnswer = req.get('idempotency-key') !== undefined && !operation.isCharged;
    const isExempt = operation.isAlwaysAllowed ?? operation.method === 'delete';
    if (!isExempt || storesAnswer) await context.allowance.requireRemaining(accountId);
    const rows = (operation.unbilledRows ?? 0) + (storesAnswer ? rowsPerAnswer : 0);
    recordWhenDone(context, accountId, rows, res);
    next();
  };
}

/** Applies the rules of `requireAllowance` to a form of the dashboard. */
export function requireFormAllowance(
  context: AllowanceContext,
  getAccountId: (req: Request) => number,
  { unbilledRows = 0, isAlwaysAllowed = false }: AllowanceRule = {},
): RequestHandler {
  return async (req, res, next) => {
    const accountId = getAccountId(req);
    if (!isAlwaysAllowed) await context.allowance.requireRemaining(accountId);
    recordWhenDone(context, accountId, unbilledRows, res);
    next();
  };
}

function recordWhenDone(
  { db, allowance, log }: AllowanceContext,
  accountId: number,
  rows: number,
  res: Response,
): void {
  if (rows === 0) return;
  res.once('finish', () => {
    if (res.statusCode >= 400 || res.get('Idempotent-Replayed')) return;
    allowance
      .recordUnbilled(db, accountId, { keptRows: rows })
      .catch((error) => log.warn('Unbilled rows could not be counted', { accountId, error }));
  });
}
