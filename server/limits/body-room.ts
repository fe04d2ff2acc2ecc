import type { Request, RequestHandler } from 'express';
import { ApiError } from '../http/errors.ts';
import { bodyBytesMax } from '../http/read-body.ts';
import { longBytesMin, stopReading } from '../http/read-bytes.ts';
import { createRoom, type RoomSize } from './room.ts';

const mebibyte = 1024 * 1024;
// Four of the largest at once; a hundred times what a list of two thousand short addresses has. The largest takes less
// than five seconds of a connection of 14 Mbit/s.
const longRoom: RoomSize = { perAccount: 32 * mebibyte, inAll: 256 * mebibyte, aloneMs: 5000 };

// Single checks, and lists of two thousand addresses of a usual length. They are counted apart, so that who sends long
// ones keeps nobody from a check. The first of an account is always let in.
const shortRoom: RoomSize = { perAccount: 4 * mebibyte, inAll: 64 * mebibyte, firstAlways: longBytesMin };

/**
 * Before a body is read: the bytes that this process holds at once are bounded, for each account and for all, short
 * bodies apart. One counts with all it may have until it is answered. Long ones that have not come whole give way to
 * accounts that hold none.
 */
export function limitBodies(
  accountOf: (req: Request) => number,
  bytesMaxOf: (req: Request) => number = bodyBytesMax,
): RequestHandler {
  const rooms = { short: createRoom(shortRoom), long: createRoom(longRoom) };
  return (req, res, next) => {
    const bytes = Math.min(bytesOf(req), bytesMaxOf(req));
    if (bytes === 0) return next();
    const room = bytes < longBytesMin ? rooms.short : rooms.long;
    const leave = room.enter(accountOf(req), bytes, {
      canGiveWay: () => !req.complete,
      giveWay: () => stopReading(req, gaveWay()),
    });
    if (!leave) throw tooMuch();
    res.once('close', leave);
    next();
  };
}

function bytesOf(req: Request): number {
  if (req.headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(req.headers['content-length'] ?? 0) || 0;
}

function tooMuch(): ApiError {
  const message = 'Too many bodies are being read. Nothing was charged. Try again in a second.';
  return new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': '1' } });
}

function gaveWay(): ApiError {
  const message =
    'This body was still coming when another account needed its room. Nothing was charged. Send it again.';
  return new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': '1' } });
}
