import type { Request } from 'express';
import { getFilters, type Selection } from '../../db/batches/results.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import { validationError } from '../http/errors.ts';
import { readEnum } from './lists.ts';

const searchMax = 200;

/** Reads `?show=` and `?q=`. They filter the results of a batch. Throws a 422. */
export function readSelection(req: Request, type: CheckType): Selection {
  const show = readEnum(req, 'show', getFilters(type));
  const search = readSearch(req);
  return { ...(show ? { show } : {}), ...(search ? { search } : {}) };
}

/** Reads the trimmed search text of `?q=`. Returns undefined if it is missing. Throws a 422. */
export function readSearch(req: Request): string | undefined {
  const value = req.query.q;
  if (value === undefined || value === '') return undefined;
  if (
    typeof value === 'string' &&
    value.length <= searchMax &&
    value.isWellFormed() &&
    !value.includes('\0')
  ) {
    return value.trim() || undefined;
  }
  throw validationError({ q: [`Must be a text of at most ${searchMax} characters.`] });
}
