import type { Request } from 'express';
import type { Act } from '../../db/postgres/act.ts';
import type { Context } from '../context.ts';
import { callerOf } from './authenticate.ts';

/** A key of 255 characters and an answer of half a kilobyte, sealed. */
const rowsOfAnswer = 2;

/**
 * An act that costs no credit. Under an Idempotency-Key its answer is kept for a day, and may be had again and again
 * under others, so that is weighed; without one nothing is, nor what `isFree` says. Throws Refused
 * `allowance_exhausted`.
 */
export function weighAnswer<T>(
  { allowance }: Pick<Context, 'allowance'>,
  req: Request,
  act: Act<T>,
  isFree: () => Promise<boolean> = async () => false,
): Act<T> {
  if (req.get('idempotency-key') === undefined) return act;
  return {
    ...act,
    before: async () => {
      if (!(await isFree())) await allowance.take(callerOf(req).accountId, { keptRows: rowsOfAnswer });
      await act.before?.();
    },
  };
}
