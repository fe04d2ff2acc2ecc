import { setImmediate } from 'node:timers/promises';
import type { Request, RequestHandler } from 'express';
import { decoded } from '../../../lists/decode.ts';
import { FairLimit } from '../../../process/fair-limit.ts';
import { discardRest } from '../../http/errors.ts';
import { holdUntilClosed } from '../../limits/slots.ts';
import { Refusal } from '../refusal.ts';
import { sessionOf } from '../visitors.ts';

const fileBytesMax = 32 * 1024 * 1024;
/** Files are read as they come. The entries of one take some tens of megabytes. */
const slotCounts = { total: 8, perAccount: 1 };

/** Reads one file of an account at once, and a few of all. */
export function limitFiles(): RequestHandler {
  const slots = new FairLimit(slotCounts);
  return (req, res, next) => {
    const slot = slots.tryAcquire(sessionOf(req).accountId);
    if (!slot) {
      const message = 'Another file is being read. Nothing was charged. Try again in a moment.';
      throw new Refusal(429, message, { headers: { 'Retry-After': '5' } });
    }
    if (holdUntilClosed(slot, res)) next();
  };
}

/** The text of a body that is a file, in pieces, between which other requests run. Errors: 400 and 413. */
export async function* textOf(req: Request): AsyncGenerator<string> {
  for await (const piece of decoded(bounded(req))) {
    yield piece;
    await setImmediate();
  }
}

async function* bounded(req: Request): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    // The connection is needed for the answer.
    for await (const piece of req.iterator({ destroyOnReturn: false })) {
      bytes += piece.length;
      if (bytes > fileBytesMax)
        throw new Refusal(413, 'A file may have 32 MB. Nothing was charged. Split it, or take columns out.');
      yield piece;
    }
  } catch (error) {
    throw req.errored ? new Refusal(400, 'The file did not arrive completely.') : error;
  } finally {
    discardRest(req);
  }
}
