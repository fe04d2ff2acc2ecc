import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/**
 * Sets the ETag of a response to a hash of `madeFrom`. If the client has this version, sends a 304 and returns true.
 * The tag is weak (RFC 9110 section 8.8.1), because equal content may have different bytes. Express cannot do this,
 * because it never sends a 304 to a request with `Cache-Control: no-cache`. Requests by `fetch` have this header.
 */
export function answerIfUnchanged(req: Request, res: Response, madeFrom: unknown): boolean {
  const tag = createHash('sha256').update(JSON.stringify(madeFrom)).digest('base64url');
  res.set({ ETag: `W/"${tag}"`, 'Cache-Control': 'private, no-cache' });
  if (!isAmong(tag, req.get('if-none-match') ?? '')) return false;
  res.status(304).end();
  return true;
}

function isAmong(tag: string, header: string): boolean {
  const known = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(`"${tag}"`);
}
