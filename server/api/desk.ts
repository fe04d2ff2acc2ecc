import type { Request } from 'express';
import type { Desk } from '../../batches/accept.ts';
import { spend } from '../../db/token-spending.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';

/** The process as acts that charge take it for one caller, whose token may have a limit of its own. */
export function deskOf(context: Context, req: Request): Context & Pick<Desk, 'spend'> {
  const { tokenId, creditsPerMonth } = callerOf(req);
  if (creditsPerMonth === null) return context;
  return { ...context, spend: (trx, credits) => spend(trx, { tokenId, creditsPerMonth }, credits) };
}
