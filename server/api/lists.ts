import type { Request, Response } from 'express';
import type { Config } from '../../config/config.ts';
import type { Window } from '../../db/postgres/keyset.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import type { Cursor } from '../http/cursors.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { unknownParameters } from '../http/warnings.ts';

export interface Listing<Place, Row extends Place> {
  cursor: Cursor<Place>;
  /** How many rows there are, counted up to `max`. */
  count(max: number): Promise<number>;
  list(window: Window<Place>): Promise<Row[]>;
  toBody(row: Row): object;
  /** The most that a page may show; 100 unless said. */
  perPageMax?: number;
}

/** Totals are exact up to here; beyond it counting would cost more than it tells. */
export const totalMax = 10_000;

/**
 * Sends one page of a list in the envelope of every list, with the same addresses in a Link header (RFC 8288).
 * `page` counts from the newest; `cursor` goes on after the row that an earlier page ended with, at the cost of page
 * 1 and whatever was added meanwhile. With a cursor `current_page` and `prev_page_url` are null, since a place in
 * the list has no number, and `next_page_url` goes on by cursor; `total` and `last_page` are those of the whole list.
 */
export async function sendPage<Place, Row extends Place>(
  config: Config,
  req: Request,
  res: Response,
  { cursor, count, list, toBody, perPageMax = 100 }: Listing<Place, Row>,
): Promise<void> {
  const { page, perPage, after } = readPage(req, cursor, perPageMax);
  const total = await count(totalMax + 1);
  const rows = await list({ limit: perPage + 1, offset: ((page ?? 1) - 1) * perPage, after });
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const nextCursor = last && rows.length > perPage ? cursor.write(last) : null;
  const next = nextCursor && (page ? { page: page + 1 } : { cursor: nextCursor });
  const urls = {
    first: urlOf(config, req, {}),
    next: next && urlOf(config, req, next),
    prev: page && page > 1 ? urlOf(config, req, { page: page - 1 }) : null,
  };
  const isMore = total > totalMax;
  linkTo(res, urls);
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
    ...unknownParameters(req),
  });
}

/** One of a closed set of words in the query, or undefined when it is not given; 422 when it is another. */
export function readWord<T extends string>(req: Request, name: string, words: readonly T[]): T | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  const found = words.find((word) => word === value);
  if (found) return found;
  throw validationError({ [name]: [`Must be one of ${words.join(', ')}.`] });
}

/** An id in the query, or undefined when none is given; 422 when it is no id. */
export function readId(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  const id = parseUuid(value);
  if (id) return id;
  throw validationError({ [name]: ['Must be an id such as 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11.'] });
}

/** A whole number in the query; what is wrong with it is noted in `errors`. */
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

interface PageRequest<Place> {
  /** Null when the page begins after a place. */
  page: number | null;
  perPage: number;
  after?: Place;
}

/** Which page is asked for; 422 when that is none. */
export function readPage<Place>(req: Request, cursor: Cursor<Place>, perPageMax = 100): PageRequest<Place> {
  const errors: FieldErrors = {};
  const perPage = readNumber(req, 'per_page', { fallback: 20, max: perPageMax }, errors);
  const page = readNumber(req, 'page', { fallback: 1, max: 100_000 }, errors);
  const after = readCursor(req, cursor, errors);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return after ? { page: null, perPage, after } : { page, perPage };
}

function readCursor<Place>(req: Request, cursor: Cursor<Place>, errors: FieldErrors): Place | undefined {
  const { cursor: value, page } = req.query;
  if (value === undefined || value === '') return undefined;
  const place = typeof value === 'string' ? cursor.read(value) : null;
  if (!place) errors.cursor = ['Must be the next_cursor of an earlier page of this list, as it was sent.'];
  else if (page) errors.cursor = ['Goes on from an earlier page by itself; leave out page.'];
  return place ?? undefined;
}

/** The address of the request with another place in the list; the filters stay. */
function urlOf({ web }: Config, req: Request, place: { page?: number; cursor?: string }): string {
  const url = new URL(req.originalUrl, web.baseUrl);
  url.searchParams.delete('page');
  url.searchParams.delete('cursor');
  for (const [name, value] of Object.entries(place)) url.searchParams.set(name, String(value));
  return `${web.baseUrl}${url.pathname}${url.search}`;
}

function linkTo(res: Response, urls: Record<string, string | null>): void {
  for (const [rel, url] of Object.entries(urls)) if (url) res.links({ [rel]: url });
}
