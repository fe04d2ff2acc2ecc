import type { Request } from 'express';
import type { Desk } from '../../batches/accept.ts';
import type { Spender } from '../../db/ledger/token-spending.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';

/**
 * The process as acts that charge take it for one caller, whose token may have a limit of its own. A test token's is
 * answered by what invents.
 */
export function deskOf(context: Context, req: Request): Context & Pick<Desk, 'spender'> {
  if (callerOf(req).isTest) return { ...context, ...context.invented };
  return { ...context, spender: spenderOf(req) };
}

/** The token of a request, where it has a monthly limit; null otherwise. */
export function spenderOf(req: Request): Spender | null {
  const { tokenId, creditsPerMonth, isTest } = callerOf(req);
  return creditsPerMonth === null || isTest ? null : { tokenId, creditsPerMonth };
}
