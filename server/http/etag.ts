import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/**
 * Sets the ETag of a response to a hash of `madeFrom`, and answers 304 if the client has this version. Returns true if
 * it answered. The tag is weak (RFC 9110 section 8.8.1): it stands for the same content, not for the same bytes.
 * Express itself never answers 304 to a request with `Cache-Control: no-cache`, which fetch sends.
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
