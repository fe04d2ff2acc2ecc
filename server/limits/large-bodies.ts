import type { Request, RequestHandler, Response } from 'express';
import { FairLimit } from '../../process/fair-limit.ts';

/** Smaller bodies need no slot. At 600 requests per minute, an account's take 20 MB. */
const largeBytesMin = 64 * 1024;

/**
 * Large bodies that one process reads, parses and answers at once. The largest take 8 MiB each. Slow senders free their
 * slots after the server's request timeout of 30 s.
 */
const slotCounts = { total: 64, perAccount: 4, reserved: 16 };

/** Waits for a slot of the account before a large body is read, and holds it until the response is closed. */
export function limitLargeBodies(accountOf: (req: Request) => number): RequestHandler {
  const slots = new FairLimit(slotCounts);
  return async (req, res, next) => {
    const length = Number(req.headers['content-length'] ?? 0);
    const isLarge = length > largeBytesMin || req.headers['transfer-encoding'] !== undefined;
    if (!isLarge) return next();
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
