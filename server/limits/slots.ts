import type { Request, RequestHandler, Response } from 'express';
import { sql } from 'kysely';
import { type Db, inSnapshot } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import { FairLimit, type Slot } from '../../process/fair-limit.ts';
import type { Context } from '../context.ts';

type GetAccountId = (req: Request) => number;

/** Bodies up to this size need no slot. At 600 requests per minute, an account's small bodies take at most 40 MB. */
const largeBytesMin = 64 * 1024;
/**
 * Maximum of large bodies in memory at the same time. A body takes up to 8 MiB. A slow sender loses its slot within a
 * minute: the server's request timeout is 30 s, and Node checks it every 30 s.
 */
const readSlots = { total: 64, perAccount: 4, reserved: 16 };

/** Bodies above this size are parsed on the document thread. A hostile body of this size takes about 10 ms. */
export const inlineParseBytesMax = 256 * 1024;
/** Large bodies validated at the same time. Each takes up to 170 ms of the main thread, in slices. */
const parseSlots = { total: 8, perAccount: 1 };

/**
 * Waits for a slot of the account before a large body is read. The slot is released when the response is closed. A body
 * without Content-Length counts as `getBytesMax` bytes.
 */
export function limitReading(
  getAccountId: GetAccountId,
  getBytesMax: (req: Request) => number,
): RequestHandler {
  return holdSlot(new FairLimit(readSlots), getAccountId, (req) => {
    const isChunked = req.headers['transfer-encoding'] !== undefined;
    const bytes = isChunked ? getBytesMax(req) : Number(req.headers['content-length'] ?? 0);
    return bytes > largeBytesMin;
  });
}

/** Waits for a slot of the account before a large body is parsed. The slot is released when the response is closed. */
export function limitParsing(getAccountId: GetAccountId): RequestHandler {
  const slots = new FairLimit(parseSlots);
  return holdSlot(slots, getAccountId, ({ body }) => body?.length > inlineParseBytesMax, parsingSlots);
}

const parsingSlots = new WeakMap<Response, Slot>();

/** Releases the parsing slot early. Call this before the request waits for a check or a sitemap. */
export function releaseParsingSlot(res: Response): void {
  parsingSlots.get(res)?.release();
}

function holdSlot(
  slots: FairLimit,
  getAccountId: GetAccountId,
  needsSlot: (req: Request) => boolean,
  held?: WeakMap<Response, Slot>,
): RequestHandler {
  return async (req, res, next) => {
    if (!needsSlot(req)) return next();
    const slot = await slots.acquire(getAccountId(req), { signal: closeSignal(res) }).catch(() => null);
    if (!slot || !holdUntilClosed(slot, res)) return;
    held?.set(res, slot);
    next();
  };
}

/** Releases a slot when the response is closed. Returns false if the response is already closed. */
export function holdUntilClosed(slot: Slot, res: Response): boolean {
  const signal = closeSignal(res);
  if (signal.aborted) slot.release();
  else signal.addEventListener('abort', slot.release);
  return !signal.aborted;
}

/** Time limit of a search. Without a limit, Postgres would continue a search after the caller has disconnected. */
const searchMs = 10_000;

/**
 * Runs a query. With a search text, Postgres reads every row. An account therefore runs only one such query at a time,
 * and gets a `statement_timeout` error (isContention) after ten seconds.
 */
export function limitSearch<T>(
  { db, longQueries }: Pick<Context, 'db' | 'longQueries'>,
  { accountId, text, signal }: { accountId: number; text: string | undefined; signal: AbortSignal },
  query: (db: Db) => Promise<T>,
): Promise<T> {
  if (!text) return query(db);
  const search = () =>
    inSnapshot(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(searchMs)}`.execute(trx);
      return query(trx);
    });
  return longQueries.run(accountId, search, { signal });
}

/**
 * Returns a signal that is aborted when the response is sent or the connection is lost. The reason is an ApiError,
 * which the error handlers do not log.
 */
export function closeSignal(res: Response): AbortSignal {
  const known = closeSignals.get(res);
  if (known) return known;
  const controller = new AbortController();
  closeSignals.set(res, controller.signal);
  const abort = () => controller.abort(new ApiError('bad_request', 'The connection was closed.'));
  if (res.closed) abort();
  else res.once('close', abort);
  return controller.signal;
}

const closeSignals = new WeakMap<Response, AbortSignal>();
