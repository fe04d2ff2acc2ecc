import type { Request } from 'express';

/** Where a list stands, and the addresses of the pages around it; null where there is none. */
export interface Pager {
  page: number;
  first: number;
  last: number;
  /** Null when there are more than are counted. */
  total: number | null;
  previous: string | null;
  next: string | null;
}

/** `page` of the query; whatever is no page is the first. */
export function pageOf(req: Request): number {
  const page = Number(req.query.page);
  return Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1;
}

export function pagerOf(
  req: Request,
  {
    path = req.path,
    page,
    perPage,
    shown,
    total,
    totalMax = Number.MAX_SAFE_INTEGER,
  }: {
    /** Of the page the list is on, where the request is for a part of it. */
    path?: string;
    page: number;
    perPage: number;
    shown: number;
    total: number;
    totalMax?: number;
  },
): Pager {
  const isMore = total > totalMax;
  const first = (page - 1) * perPage;
  const hasNext = isMore ? shown === perPage : first + shown < total;
  return {
    page,
    first: shown === 0 ? 0 : first + 1,
    last: first + shown,
    total: isMore ? null : total,
    previous: page > 1 ? withQuery(req, path, { page: page === 2 ? null : String(page - 1) }) : null,
    next: hasNext ? withQuery(req, path, { page: String(page + 1) }) : null,
  };
}

/** The address of a page with the parameters of this request but for some changes; null takes one away. */
export function withQuery(req: Request, path: string, changes: Record<string, string | null>): string {
  const { searchParams } = new URL(req.originalUrl, 'http://page');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) searchParams.delete(name);
    else searchParams.set(name, value);
  }
  const query = searchParams.toString();
  return query ? `${path}?${query}` : path;
}

/** A text of the query; empty when it is not there, or is no text that Postgres can look for. */
export function textOf(req: Request, name: string, lengthMax = 200): string {
  const value = req.query[name];
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return '';
  return value.trim().slice(0, lengthMax).toWellFormed();
}

/** A word of the query, of those that are known; undefined for any other. */
export function wordOf<T extends string>(req: Request, name: string, words: readonly T[]): T | undefined {
  return words.find((word) => word === req.query[name]);
}
