import type { Request, RequestHandler } from 'express';
import { ApiError } from '../http/errors.ts';
import { bodyBytesMax } from '../http/read-body.ts';
import { createRoom, type RoomSize } from './room.ts';

// Four of the largest at once; a hundred times what a list of two thousand short addresses has.
const mebibyte = 1024 * 1024;
const bodyRoom: RoomSize = { perAccount: 32 * mebibyte, inAll: 256 * mebibyte };

/**
 * Before a body is read: the bytes of bodies that this process holds at once are bounded, for each account and for all.
 * One counts with the length it says, or with all it may have, from its first byte until it is answered.
 */
export function limitBodies(
  accountOf: (req: Request) => number,
  bytesMaxOf: (req: Request) => number = (req) => bodyBytesMax(req.path),
): RequestHandler {
  const room = createRoom(bodyRoom);
  return (req, res, next) => {
    const bytes = Math.min(bytesOf(req), bytesMaxOf(req));
    if (bytes === 0) return next();
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
  const message = 'Too many long bodies are being read. Nothing was charged. Try again in a second.';
  return new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': '1' } });
}
