import type { Request, Response } from 'express';
import type { Config } from '../../config/config.ts';
import type { PageParams } from '../../db/postgres/keyset.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import type { Cursor } from '../http/cursors.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';

interface ListDefinition<Position, Row extends Position> {
  cursor: Cursor<Position>;
  count(max: number): Promise<number>;
  list(window: PageParams<Position>): Promise<Row[]>;
  toBody(row: Row): object;
  /** Maximum rows per page. Default: 100. */
  perPageMax?: number;
}

/** Maximum number of rows that are counted. Counting all rows would take too long. */
export const totalMax = 10_000;

/**
 * Sends one page of a list, with the URLs of other pages in the body and in a Link header (RFC 8288). `page` is the
 * number of the page. `cursor` continues after the last row of an earlier page. A page with a cursor is as fast as page
 * 1, and new rows do not shift it. If the request has a cursor, `current_page` and `prev_page_url` are null, and
 * `next_page_url` has a cursor. `total` and `last_page` always describe the whole list.
 */
export async function sendPage<Position, Row extends Position>(
  config: Config,
  req: Request,
  res: Response,
  { cursor, count, list, toBody, perPageMax = 100 }: ListDefinition<Position, Row>,
): Promise<void> {
  const { page, perPage, after } = readPage(req, cursor, perPageMax);
  const total = await count(totalMax + 1);
  const rows = await list({ limit: perPage + 1, offset: ((page ?? 1) - 1) * perPage, after });
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const nextCursor = last && rows.length > perPage ? cursor.write(last) : null;
  const next = nextCursor && (page ? { page: page + 1 } : { cursor: nextCursor });
  const urls = {
    first: toPageUrl(config, req, {}),
    next: next && toPageUrl(config, req, next),
    prev: page && page > 1 ? toPageUrl(config, req, { page: page - 1 }) : null,
  };
  const isMore = total > totalMax;
  addLinks(res, urls);
  res.json({
    success: true,
    data: shown.map(toBody),
    current_page: page,
    per_page: perPage,
    total: isMore ? null : total,
    last_page: isMore ? null : Math.max(1, Math.ceil(total / perPage)),
    ...(isMore ? { total_is_more: true } : {}),
    next_page_url: urls.next,
    prev_page_url: urls.prev,
    next_cursor: nextCursor,
    ...unknownParameterWarnings(req),
  });
}

/** Reads a query parameter with fixed values. Returns undefined if it is missing. Throws a 422 for other values. */
export function readEnum<T extends string>(req: Request, name: string, words: readonly T[]): T | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  const found = words.find((word) => word === value);
  if (found) return found;
  throw validationError({ [name]: [`Must be one of ${words.join(', ')}.`] });
}

/** Reads a UUID from the query. Returns undefined if it is missing. Throws a 422 for other values. */
export function readId(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  const id = parseUuid(value);
  if (id) return id;
  throw validationError({ [name]: ['Must be an id such as 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11.'] });
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

interface PageRequest<Position> {
  /** Null if the request has a cursor. */
  page: number | null;
  perPage: number;
  after?: Position;
}

/** Reads `page`, `per_page` and `cursor`. Throws a 422. */
export function readPage<Position>(
  req: Request,
  cursor: Cursor<Position>,
  perPageMax = 100,
): PageRequest<Position> {
  const errors: FieldErrors = {};
  const perPage = readNumber(req, 'per_page', { fallback: 20, max: perPageMax }, errors);
  const page = readNumber(req, 'page', { fallback: 1, max: 100_000 }, errors);
  const after = readCursor(req, cursor, errors);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return after ? { page: null, perPage, after } : { page, perPage };
}

function readCursor<Position>(
  req: Request,
  cursor: Cursor<Position>,
  errors: FieldErrors,
): Position | undefined {
  const { cursor: value, page } = req.query;
  if (value === undefined || value === '') return undefined;
  const position = typeof value === 'string' ? cursor.read(value) : null;
  if (!position) errors.cursor = ['Must be a next_cursor that this list returned.'];
  else if (page) errors.cursor = ['Cannot be combined with page.'];
  return position ?? undefined;
}

function toPageUrl({ web }: Config, req: Request, position: { page?: number; cursor?: string }): string {
  const url = new URL(req.originalUrl, web.baseUrl);
  url.searchParams.delete('page');
  url.searchParams.delete('cursor');
  for (const [name, value] of Object.entries(position)) url.searchParams.set(name, String(value));
  return `${web.baseUrl}${url.pathname}${url.search}`;
}

function addLinks(res: Response, urls: Record<string, string | null>): void {
  for (const [rel, url] of Object.entries(urls)) if (url) res.links({ [rel]: url });
}
