import type { Request } from 'express';
import type { Desk } from '../../batches/accept.ts';
import { spend } from '../../db/token-spending.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';

/**
 * The process as acts that charge take it for one caller, whose token may have a limit of its own. A test token's is
 * answered by what invents.
 */
export function deskOf(context: Context, req: Request): Context & Pick<Desk, 'spend'> {
  const { tokenId, creditsPerMonth, isTest } = callerOf(req);
  if (isTest) return { ...context, ...context.invented };
  if (creditsPerMonth === null) return context;
  return { ...context, spend: (trx, credits) => spend(trx, { tokenId, creditsPerMonth }, credits) };
}
