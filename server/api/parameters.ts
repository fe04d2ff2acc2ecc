import type { Request } from 'express';
import { getFilters, type Selection } from '../../db/batches/results.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { invalidDateTime, parseDateTime } from './date-times.ts';

/** Reads a query parameter. Returns undefined if it is missing. Throws a 422 if `parse` returns no value. */
function read<T>(
  req: Request,
  name: string,
  parse: (value: unknown) => T | null | undefined,
  message: string,
): T | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  const parsed = parse(value);
  if (parsed === null || parsed === undefined) throw validationError({ [name]: [message] });
  return parsed;
}

/** Reads a query parameter as text. Returns undefined if it is missing. Throws a 422 if it is repeated. */
export function readText(req: Request, name: string): string | undefined {
  const parse = (value: unknown) => (typeof value === 'string' && !value.includes('\0') ? value : null);
  return read(req, name, parse, 'Send this parameter only once.');
}

/** Reads an ISO 8601 time or date from the query. Default time zone: UTC. A date means midnight. Throws a 422. */
export function readDateTime(req: Request, name: string): Date | undefined {
  const text = readText(req, name);
  if (text === undefined) return undefined;
  // An unescaped plus in a query arrives as a space.
  return read(req, name, () => parseDateTime(text.replace(' ', '+')), invalidDateTime);
}

/** Reads a query parameter with fixed values. Returns undefined if it is missing. Throws a 422 for other values. */
export function readEnum<T extends string>(req: Request, name: string, words: readonly T[]): T | undefined {
  const parse = (value: unknown) => words.find((word) => word === value);
  return read(req, name, parse, `Must be one of ${words.join(', ')}.`);
}

/** Reads a UUID from the query. Returns undefined if it is missing. Throws a 422 for other values. */
export function readId(req: Request, name: string): string | undefined {
  return read(req, name, parseUuid, 'Must be an id such as 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11.');
}

/** Reads a whole number from the query. For an invalid value, adds a problem to `errors` and returns the fallback. */
export function readNumber(
  req: Request,
  name: string,
  { fallback, min = 1, max }: { fallback: number; min?: number; max: number },
  errors: FieldErrors,
): number {
  const value = req.query[name];
  if (value === undefined || value === '') return fallback;
  const number = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : -1;
  if (number >= min && number <= max) return number;
  errors[name] = [`Must be a whole number from ${min} to ${max}.`];
  return fallback;
}

const searchMax = 200;

/** Reads the trimmed search text of `?q=`. Returns undefined if it is missing. Throws a 422. */
export function readSearch(req: Request): string | undefined {
  const isSearch = (value: unknown): value is string =>
    typeof value === 'string' && value.length <= searchMax && value.isWellFormed() && !value.includes('\0');
  const parse = (value: unknown) => (isSearch(value) ? value : null);
  return read(req, 'q', parse, `Must be a text of at most ${searchMax} characters.`)?.trim() || undefined;
}

/** Reads `?show=` and `?q=`. They filter the results of a batch. Throws a 422. */
export function readSelection(req: Request, type: CheckType): Selection {
  const show = readEnum(req, 'show', getFilters(type));
  const search = readSearch(req);
  return { ...(show ? { show } : {}), ...(search ? { search } : {}) };
}

export interface Include {
  results: boolean;
  /** The sources and the text of a rank check's AI Overview. */
  overview: boolean;
  /** The queries that were sent to providers. */
  evidence: boolean;
}

const includable = ['results', 'ai_overview', 'evidence'];

/** Reads `?include=results,ai_overview,evidence`. Throws a 422 for other words. */
export function readInclude(req: Request): Include {
  const parse = (value: unknown) => {
    const words = String(value).split(',');
    return words.every((word) => includable.includes(word)) ? words : null;
  };
  const message = `Must be one or more of ${includable.join(', ')}, separated by commas.`;
  const named = read(req, 'include', parse, message) ?? [];
  return {
    results: named.includes('results'),
    overview: named.includes('ai_overview'),
    evidence: named.includes('evidence'),
  };
}
