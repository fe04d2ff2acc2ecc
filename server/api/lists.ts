import type { Request, Response } from 'express';
import type { Config } from '../../config/config.ts';
import type { PageParams } from '../../db/postgres/keyset.ts';
import type { Cursor } from '../http/cursors.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { readNumber } from './parameters.ts';

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

/** Reads `page`, `per_page` and `cursor`. Throws a 422. `page` is null if the request has a cursor. */
export function readPage<Position>(req: Request, cursor: Cursor<Position>, perPageMax = 100) {
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
