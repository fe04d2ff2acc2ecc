import type { Request } from 'express';
import { totalMax } from '../api/lists.ts';

/** Reads the query parameter `page`; 1 if it is missing or invalid. */
export function readPageNumber(req: Request): number {
  const page = Number(req.query.page);
  return Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1;
}

/** Reads the requested page of a list. Rows beyond `totalMax` are not counted. */
export async function readPage<Row>(
  req: Request,
  perPage: number,
  { count, list }: { count(max: number): Promise<number>; list(window: Window): Promise<Row[]> },
) {
  const page = readPageNumber(req);
  const total = await count(totalMax + 1);
  const rows = await list({ limit: perPage, offset: (page - 1) * perPage });
  return { rows, pager: createPager(req, { page, perPage, shown: rows.length, total, max: totalMax }) };
}

interface Window {
  limit: number;
  offset: number;
}

/** Returns the position in a list, with the URLs of the previous and the next page; null if there is no such page. */
export function createPager(
  req: Request,
  {
    path = req.path,
    page,
    perPage,
    shown,
    total,
    max = Number.MAX_SAFE_INTEGER,
  }: {
    /** Path of the page. Set it if the request is for a fragment of the page. */
    path?: string;
    page: number;
    perPage: number;
    shown: number;
    total: number;
    /** Larger totals are not exact. */
    max?: number;
  },
) {
  const isMore = total > max;
  const first = (page - 1) * perPage;
  const hasNext = isMore ? shown === perPage : first + shown < total;
  return {
    page,
    first: shown === 0 ? 0 : first + 1,
    last: first + shown,
    /** Null if the list is longer than `max`. */
    total: isMore ? null : total,
    previous: page > 1 ? withQuery(req, path, { page: page === 2 ? null : String(page - 1) }) : null,
    next: hasNext ? withQuery(req, path, { page: String(page + 1) }) : null,
  };
}

/** Returns `path` with the query of this request and with `changes`. Null removes a parameter. */
export function withQuery(req: Request, path: string, changes: Record<string, string | null>): string {
  const { searchParams } = new URL(req.originalUrl, 'http://page');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) searchParams.delete(name);
    else searchParams.set(name, value);
  }
  const query = searchParams.toString();
  return query ? `${path}?${query}` : path;
}

/** Reads a query parameter as text. Returns '' if it is missing, or if Postgres cannot store it. */
export function readQueryText(req: Request, name: string, lengthMax = 200): string {
  const value = req.query[name];
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return '';
  return value.trim().slice(0, lengthMax).toWellFormed();
}

/** Reads a query parameter. Returns undefined if it is not one of `words`. */
export function readQueryWord<T extends string>(
  req: Request,
  name: string,
  words: readonly T[],
): T | undefined {
  return words.find((word) => word === req.query[name]);
}
