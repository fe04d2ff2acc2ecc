import type { Request, RequestHandler, Response } from 'express';
import type { Operation } from '../../schemas/operations/operation.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { findOperation } from '../http/permit.ts';

type AllowanceContext = Pick<Context, 'db' | 'allowance' | 'log'>;

/** As of an operation of the API. */
export type AllowanceRule = Pick<Operation, 'unbilledRows' | 'isAlwaysAllowed'>;

// A key of 255 characters and an answer of half a kilobyte, sealed.
const rowsOfAnswer = 2;

/**
 * Refuses writes of the API while nothing is left of the account's allowance, and counts the rows that they leave and
 * no credit pays for, an answer under an Idempotency-Key among them. Reads pass. Throws ApiError `allowance_exhausted`.
 */
export function requireAllowance(context: AllowanceContext): RequestHandler {
  return async (req, res, next) => {
    const operation = findOperation(req);
    if (!operation || operation.method === 'get') return next();
    const { accountId } = callerOf(req);
    const keepsAnswer = req.get('idempotency-key') !== undefined && !operation.isCharged;
    const isExempt = operation.isAlwaysAllowed ?? operation.method === 'delete';
    if (!isExempt || keepsAnswer) await context.allowance.requireLeft(accountId);
    const rows = (operation.unbilledRows ?? 0) + (keepsAnswer ? rowsOfAnswer : 0);
    recordWhenDone(context, accountId, rows, res);
    next();
  };
}

/** The same for a form of the dashboard. */
export function requireAllowanceOfForm(
  context: AllowanceContext,
  accountOf: (req: Request) => number,
  { unbilledRows = 0, isAlwaysAllowed = false }: AllowanceRule = {},
): RequestHandler {
  return async (req, res, next) => {
    const accountId = accountOf(req);
    if (!isAlwaysAllowed) await context.allowance.requireLeft(accountId);
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
