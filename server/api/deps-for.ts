import type { Request } from 'express';
import type { AcceptDeps } from '../../batches/accept.ts';
import type { Spender } from '../../db/ledger/token-spending.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';

/** The process for one caller: a token may have a limit of its own, and a test token gets invented answers. */
export function depsFor(context: Context, req: Request): Context & Pick<AcceptDeps, 'spender'> {
  if (callerOf(req).isTest) return { ...context, ...context.invented };
  return { ...context, spender: spenderOf(req) };
}

/** The token of a request, where it has a monthly limit; null otherwise. */
export function spenderOf(req: Request): Spender | null {
  const { tokenId, creditsPerMonth, isTest } = callerOf(req);
  return creditsPerMonth === null || isTest ? null : { tokenId, creditsPerMonth };
}
