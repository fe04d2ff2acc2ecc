import { setImmediate } from 'node:timers/promises';
import type { Request, RequestHandler } from 'express';
import { decoded } from '../../../lists/decode.ts';
import { FairLimit } from '../../../process/fair-limit.ts';
import { discardBody } from '../../http/errors.ts';
import { holdUntilClosed } from '../../limits/slots.ts';
import { Refusal } from '../refusal.ts';
import { getSession } from '../visitors.ts';

const fileBytesMax = 32 * 1024 * 1024;
/** Numbers of files read at the same time. The entries of one file take tens of megabytes of memory. */
const slotCounts = { total: 8, perAccount: 1 };

/** Limits the files that are read at the same time, per account and in total. */
export function limitFiles(): RequestHandler {
  const slots = new FairLimit(slotCounts);
  return (req, res, next) => {
    const slot = slots.tryAcquire(getSession(req).accountId);
    if (!slot) {
      const message = 'Another file is being read. You were not charged. Try again in a moment.';
      throw new Refusal(429, message, { headers: { 'Retry-After': '5' } });
    }
    if (holdUntilClosed(slot, res)) next();
  };
}

/** Decodes an uploaded file in pieces, and yields to other requests between pieces. Throws a 400 or 413. */
export async function* readFileText(req: Request): AsyncGenerator<string> {
  for await (const piece of decoded(bounded(req))) {
    yield piece;
    await setImmediate();
  }
}

async function* bounded(req: Request): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    // `destroyOnReturn: false` keeps the connection open for the response.
    for await (const piece of req.iterator({ destroyOnReturn: false })) {
      bytes += piece.length;
      if (bytes > fileBytesMax)
        throw new Refusal(
          413,
          'Files are limited to 32 MB. Split the file or remove columns. You were not charged.',
        );
      yield piece;
    }
  } catch (error) {
    throw req.errored ? new Refusal(400, 'The upload was interrupted. Try again.') : error;
  } finally {
    discardBody(req);
  }
}
