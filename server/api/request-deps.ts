import type { Request } from 'express';
import type { AcceptDeps } from '../../batches/accept.ts';
import type { LimitedToken } from '../../db/ledger/token-spending.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';

/**
 * Returns the dependencies for a request. A live token gets its monthly limit, and a test token gets simulated answers.
 */
export function getRequestDeps(context: Context, req: Request): Context & Pick<AcceptDeps, 'spender'> {
  if (getCaller(req).isTest) return { ...context, ...context.simulated };
  return { ...context, spender: getSpender(req) };
}

/** Returns the token of a request; null for a test token, and for a token without a monthly limit. */
export function getSpender(req: Request): LimitedToken | null {
  const { tokenId, creditsPerMonth, isTest } = getCaller(req);
  return creditsPerMonth === null || isTest ? null : { tokenId, creditsPerMonth };
}
