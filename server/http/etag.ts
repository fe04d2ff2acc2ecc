import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/**
 * Notes on an answer what it is made from, and ends it as 304 when the caller has just that; says whether it
 * did. The tag is weak (RFC 9110 section 8.8.1): equal ones stand for the same content, not for the same
 * bytes. Express's own comparison is of no use here: it never answers 304 to `Cache-Control: no-cache`, which
 * fetch sends along.
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
