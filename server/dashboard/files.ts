import type { Request, RequestHandler } from 'express';
import { decoded } from '../../lists/decode.ts';
import { nextTurn } from '../http/loop-turns.ts';
import { Refusal } from './refusal.ts';
import { sessionOf } from './visitors.ts';

const fileBytesMax = 32 * 1024 * 1024;
// What a list holds of its entries while it is read and accepted is some tens of megabytes.
const filesAtOnceMax = 4;

/** Lets in one file of an account at once, and a few of all: a file is read as it comes and never held. */
export function limitFiles(): RequestHandler {
  const open = new Set<number>();
  return (req, res, next) => {
    const { accountId } = sessionOf(req);
    if (open.has(accountId) || open.size >= filesAtOnceMax) {
      const headers = { 'Retry-After': '5', Connection: 'close' };
      throw new Refusal(429, 'Another file is being read. Nothing was charged. Try again in a moment.', {
        headers,
      });
    }
    open.add(accountId);
    res.once('close', () => open.delete(accountId));
    next();
  };
}

/** The text of a body that is a file, in pieces, with turns of the event loop between them. Throws a 413. */
export async function* textOf(req: Request, accountId: number): AsyncGenerator<string> {
  for await (const piece of decoded(bounded(req))) {
    yield piece;
    await nextTurn(accountId);
  }
}

async function* bounded(req: Request): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of req as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > fileBytesMax) {
      const headers = { Connection: 'close' };
      throw new Refusal(413, 'A file may have 32 MB. Nothing was charged. Split it, or take columns out.', {
        headers,
      });
    }
    yield piece;
  }
}
