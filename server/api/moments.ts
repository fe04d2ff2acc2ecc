import type { Request } from 'express';
import { validationError } from '../http/errors.ts';

/** A text in the query, or undefined when none is given; 422 when it is given twice. */
export function readText(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && !value.includes('\0')) return value;
  throw validationError({ [name]: ['Must be given once.'] });
}

/** A moment or a day in ISO 8601; without a zone it is UTC, and a day begins at midnight. */
export function readMoment(req: Request, name: string): Date | undefined {
  const value = readText(req, name);
  if (value === undefined) return undefined;
  // A plus in a query arrives as a space unless it was escaped.
  const moment = momentOf(value.replace(' ', '+'));
  if (moment) return moment;
  throw validationError({ [name]: [notAMoment] });
}

export const notAMoment = 'Must be a date or a time such as 2026-11-20 or 2026-11-20T09:41:05+00:00.';

/** The same of a text from anywhere; undefined for what is none. */
export function momentOf(text: string): Date | undefined {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const moment = new Date(withZone(text));
  return isIso && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

function withZone(moment: string): string {
  return /T[\d:.]+$/.test(moment) ? `${moment}Z` : moment;
}
