import type { Request } from 'express';
import { validationError } from '../http/errors.ts';

export const dayMs = 86_400_000;

/** Reads a query parameter. Returns undefined if it is missing. Throws a 422 if it is repeated. */
export function readText(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && !value.includes('\0')) return value;
  throw validationError({ [name]: ['Send this parameter only once.'] });
}

/** Reads an ISO 8601 time or date from the query. Default time zone: UTC. A date means midnight. Throws a 422. */
export function readDateTime(req: Request, name: string): Date | undefined {
  const value = readText(req, name);
  if (value === undefined) return undefined;
  // An unescaped plus in a query arrives as a space.
  const moment = parseDateTime(value.replace(' ', '+'));
  if (moment) return moment;
  throw validationError({ [name]: [invalidDateTime] });
}

export const invalidDateTime = 'Must be a date or a time such as 2026-11-20 or 2026-11-20T09:41:05+00:00.';

/** Parses an ISO 8601 time or date; undefined if it is invalid. */
export function parseDateTime(text: string): Date | undefined {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const moment = new Date(withZone(text));
  return isIso && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

function withZone(moment: string): string {
  return /T[\d:.]+$/.test(moment) ? `${moment}Z` : moment;
}
