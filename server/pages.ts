import type { Request } from 'express';
import type { Config } from '../config.ts';
import { type FieldErrors, validationError } from './errors.ts';

export interface PageRequest {
  page: number;
  perPage: number;
  offset: number;
}

/** Totals are exact up to here; beyond it counting would cost more than it tells. */
export const totalMax = 10_000;

/** `page` and `per_page` of a list; 422 when they do not fit. */
export function readPage(req: Request): PageRequest {
  const errors: FieldErrors = {};
  const perPage = readNumber(req, 'per_page', { fallback: 20, max: 100 }, errors);
  const page = readNumber(req, 'page', { fallback: 1, max: 100_000 }, errors);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return { page, perPage, offset: (page - 1) * perPage };
}

/** One of a closed set of words in the query, or undefined when it is not given; 422 when it is another. */
export function readWord<T extends string>(req: Request, name: string, words: readonly T[]): T | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  const found = words.find((word) => word === value);
  if (found) return found;
  throw validationError({ [name]: [`Must be one of ${words.join(', ')}.`] });
}

/** The envelope of every list (DESIGN.md section 4). `total` may be one more than the most that is counted. */
export function pageBody(
  config: Config,
  req: Request,
  { page, perPage }: PageRequest,
  { data, total }: { data: object[]; total: number },
): object {
  const isMore = total > totalMax;
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const hasNext = isMore ? data.length === perPage : page < lastPage;
  const urlOf = (number: number) => {
    const url = new URL(req.originalUrl, config.web.baseUrl);
    url.searchParams.set('page', String(number));
    return `${config.web.baseUrl}${url.pathname}${url.search}`;
  };
  return {
    success: true,
    data,
    current_page: page,
    per_page: perPage,
    total: isMore ? null : total,
    last_page: isMore ? null : lastPage,
    ...(isMore ? { total_is_more: true } : {}),
    next_page_url: hasNext ? urlOf(page + 1) : null,
    prev_page_url: page > 1 ? urlOf(page - 1) : null,
  };
}

function readNumber(
  req: Request,
  name: string,
  { fallback, max }: { fallback: number; max: number },
  errors: FieldErrors,
): number {
  const value = req.query[name];
  if (value === undefined || value === '') return fallback;
  const number = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= max) return number;
  errors[name] = [`Must be a whole number from 1 to ${max}.`];
  return fallback;
}
