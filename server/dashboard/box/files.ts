import type { Request, RequestHandler } from 'express';
import { decoded } from '../../../lists/decode.ts';
import { nextTurn } from '../../http/loop-turns.ts';
import { piecesOf, stopReading } from '../../http/read-bytes.ts';
import { createRoom, type RoomSize } from '../../limits/room.ts';
import { Refusal } from '../refusal.ts';
import { sessionOf } from '../visitors.ts';

const fileBytesMax = 32 * 1024 * 1024;
// What a list holds of its entries while it is read and accepted is some tens of megabytes.
const room: RoomSize = { perAccount: 1, inAll: 4, aloneMs: 10_000 };

/**
 * Lets in one file of an account at once, and a few of all: a file is read as it comes and never held. When four are
 * there, the oldest that has been coming for ten seconds gives way to the next.
 */
export function limitFiles(): RequestHandler {
  const files = createRoom(room);
  return (req, res, next) => {
    const leave = files.enter(sessionOf(req).accountId, 1, {
      canGiveWay: () => !req.complete,
      giveWay: () =>
        stopReading(req, busy('This file was still coming when another account had to be let in.')),
    });
    if (!leave) throw busy('Another file is being read.');
    res.once('close', leave);
    next();
  };
}

function busy(what: string): Refusal {
  const headers = { 'Retry-After': '5', Connection: 'close' };
  return new Refusal(429, `${what} Nothing was charged. Try again in a moment.`, { headers });
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
  for await (const piece of piecesOf(req)) {
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
