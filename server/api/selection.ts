import type { Request } from 'express';
import { filtersOf, type Selection } from '../../db/batches/results.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import { validationError } from '../http/errors.ts';
import { readWord } from './lists.ts';

const searchMax = 200;

/** `?show=` and `?q=`: which results of a batch are meant; 422 for a word that its type does not have. */
export function readSelection(req: Request, type: CheckType): Selection {
  const show = readWord(req, 'show', filtersOf(type));
  const search = readSearch(req);
  return { ...(show ? { show } : {}), ...(search ? { search } : {}) };
}

/** `?q=`: a text to look for, without white space around it; undefined when there is none, 422 when it is none. */
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
