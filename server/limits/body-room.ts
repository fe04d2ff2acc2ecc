import type { Request, RequestHandler } from 'express';
import { ApiError } from '../http/errors.ts';
import { bodyBytesMax, singleBytesMax } from '../http/read-body.ts';
import { createRoom, type RoomSize } from './room.ts';

const mebibyte = 1024 * 1024;
// Four of the largest at once; a hundred times what a list of two thousand short addresses has.
const longRoom: RoomSize = { perAccount: 32 * mebibyte, inAll: 256 * mebibyte };

// A body no longer than a single check may have is small. Those are counted apart, so that who sends long ones keeps
// nobody from a check. The first of an account is no more than the headers that its connection may hold, so it is
// always let in.
const smallRoom: RoomSize = { perAccount: mebibyte, inAll: 64 * mebibyte, firstAlways: singleBytesMax };

/**
 * Before a body is read: the bytes that this process holds at once are bounded, for each account and for all, those
 * of small bodies apart. One counts with the length it says, or with all it may have, until it is answered.
 */
export function limitBodies(
  accountOf: (req: Request) => number,
  bytesMaxOf: (req: Request) => number = bodyBytesMax,
): RequestHandler {
  const rooms = { small: createRoom(smallRoom), long: createRoom(longRoom) };
  return (req, res, next) => {
    const bytes = Math.min(bytesOf(req), bytesMaxOf(req));
    if (bytes === 0) return next();
    const room = bytes <= singleBytesMax ? rooms.small : rooms.long;
    const leave = room.enter(accountOf(req), bytes);
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
