import type { Request, RequestHandler, Response } from 'express';
import { FairLimit } from '../../process/fair-limit.ts';

type AccountOf = (req: Request) => number;

/** Smaller bodies need no slot. At 600 requests per minute, an account's take 40 MB. */
const largeBytesMin = 64 * 1024;
/**
 * Large bodies in memory at once. The largest take 8 MiB each. A slow sender loses its slot after the server's request
 * timeout of 30 s.
 */
const readSlots = { total: 64, perAccount: 4, reserved: 16 };

/** Larger bodies are parsed on the documents thread. Parsing a hostile one of this length takes about 10 ms. */
export const parsedHereMax = 256 * 1024;
/** Such bodies that are validated and answered at once. One takes up to 170 ms of the main thread, in slices. */
const parseSlots = { total: 8, perAccount: 1 };

/** Waits for a slot of the account before a large body is read, and holds it until the response is closed. */
export function limitReading(accountOf: AccountOf): RequestHandler {
  return holdSlot(new FairLimit(readSlots), accountOf, ({ headers }) => {
    return (
      Number(headers['content-length'] ?? 0) > largeBytesMin || headers['transfer-encoding'] !== undefined
    );
  });
}

/** The same between the reading of the bytes in `req.body` and their parsing. */
export function limitParsing(accountOf: AccountOf): RequestHandler {
  return holdSlot(new FairLimit(parseSlots), accountOf, ({ body }) => body?.length > parsedHereMax);
}

function holdSlot(
  slots: FairLimit,
  accountOf: AccountOf,
  needsSlot: (req: Request) => boolean,
): RequestHandler {
  return async (req, res, next) => {
    if (!needsSlot(req)) return next();
    const signal = closeSignal(res);
    const slot = await slots.acquire(accountOf(req), { signal }).catch(() => null);
    if (!slot) return;
    signal.addEventListener('abort', slot.release);
    if (signal.aborted) slot.release();
    else next();
  };
}

/** Returns a signal that is aborted when the response was sent or its connection is lost. */
export function closeSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.closed) controller.abort();
  else res.once('close', () => controller.abort());
  return controller.signal;
}
