import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';

/**
 * Compresses text as it is written, by brotli or gzip as the caller takes it (RFC 9110 section 12.5.3); a
 * slow reader holds up whoever writes, as without. A body that is compressed already stays as it is, as does
 * one below a kibibyte.
 */
export function compressText(): RequestHandler {
  return compression({
    filter: isText,
    level: gzipLevel,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: windowBits } },
  });
}

// 128 KiB: JSON repeats itself within that, and the usual 4 MiB would be held for every answer in flight.
const windowBits = 17;

// A page of 100 histories, 1 MB of JSON, took 12 ms at the usual 6, and 2 at 3 for 64 KiB in place of 44.
const gzipLevel = 3;

const textTypes = /^(?:text\/|image\/svg\+xml|application\/(?:json|x-ndjson|javascript)\b)/;

function isText(_req: Request, res: Response): boolean {
  return textTypes.test(String(res.getHeader('Content-Type') ?? ''));
}
