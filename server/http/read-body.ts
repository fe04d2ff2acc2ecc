import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { checkTypes } from '../../schemas/check-types.ts';
import { urlCheckTypes } from '../../schemas/url-requests.ts';
import { callerOf } from './authenticate.ts';
import { ApiError } from './errors.ts';
import { rememberBody } from './idempotency.ts';
import { PartsLook, type Seam } from './json-parts.ts';
import { parseInPieces } from './json-pieces.ts';
import { inTurns } from './loop-turns.ts';
import { giveBack, readInTurns } from './read-bytes.ts';

export const bulkBytesMax = 8 * 1024 * 1024;
/** An address of 2,048 characters, each of them escaped. */
const singleBytesMax = 16 * 1024;
// Two thousand queries with every field there is, and as much again; six times the fields that any object of ours has.
const partsMax = { parts: 100_000, fields: 100 };

/** How long a body may be, by the path under /api/v1: lists are long, and sent by methods that weigh them. */
export function bodyBytesMax({ method, path }: Pick<Request, 'method' | 'path'>): number {
  const place = path.replace(/\/$/, '');
  const isList =
    (method === 'POST' && listPaths.has(place)) || (method === 'PATCH' && monitorPath.test(place));
  return isList ? bulkBytesMax : singleBytesMax;
}

const listPaths = new Set([
  ...urlCheckTypes.map((type) => `${checkTypes[type].urlPath}/bulk`),
  '/keyword-track',
  '/monitors',
]);
const monitorPath = /^\/monitors\/[^/]+$/;

const seamsOf = new WeakMap<Request, Seam[]>();

/**
 * Reads the bytes of a body, and remembers their fingerprint. What would cost more to parse than to send is refused as
 * soon as that shows, and the rest of it is not read. Throws a 413.
 */
export const readBytes: RequestHandler = async (req, _res, next) => {
  if (req.is('application/json')) {
    const { accountId } = callerOf(req);
    const hash = createHash('sha256');
    const look = new PartsLook(partsMax);
    const onPiece = (piece: Buffer) => {
      // As the reader of bytes says that there are too many of them.
      if (!look.read(piece)) throw Object.assign(new Error('too many values'), { status: 413 });
      hash.update(piece);
    };
    req.body = await readInTurns(req, { bytesMax: bodyBytesMax(req), accountId, onPiece });
    rememberBody(req, hash.digest());
    seamsOf.set(req, look.seams);
  }
  next();
};

/** Reads the bytes as JSON, a long body in pieces, one to a turn of the event loop. Throws a 400. */
export const readJson: RequestHandler = async (req, _res, next) => {
  if (Buffer.isBuffer(req.body)) req.body = await parse(req, req.body);
  next();
};

async function parse(req: Request, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return {};
  try {
    return await inTurns(callerOf(req).accountId, parseInPieces(bytes, seamsOf.get(req) ?? []));
  } catch {
    throw new ApiError(400, 'invalid_json', 'The body is not valid JSON.');
  } finally {
    giveBack(bytes);
  }
}
