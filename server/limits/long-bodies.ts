import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import { bytesReadOf } from '../http/read-bytes.ts';
import { sharedStore } from './limit-store.ts';
import { windowSeconds } from './limits.ts';

const bytesPerRequest = 128 * 1024;

/**
 * Before a body is read: one for which nothing was done counts as a further POST for each 128 KiB that were read of it.
 * Reading it costs the service time and the caller nothing; what is accepted is paid for by its entries.
 */
export function weighLongBodies(
  context: Pick<Context, 'config' | 'db' | 'log'>,
  accountOf: (req: Request) => number,
  { isAlwaysForNothing = false } = {},
): RequestHandler {
  const limit = context.config.web.rateLimitPerMinute;
  if (limit === 0) return (_req, _res, next) => next();
  const posts = sharedStore(context, 'post', { limit, windowSeconds });
  return (req, res, next) => {
    const account = String(accountOf(req));
    res.once('close', () => {
      const weight = Math.floor(bytesReadOf(req) / bytesPerRequest);
      if (weight > 0 && (isAlwaysForNothing || wasForNothing(res)))
        posts.add(account, weight).catch(() => {});
    });
    next();
  };
}

/** Refused, only repeated, or left before there was an answer. What is our failure is nobody's. */
function wasForNothing(res: Response): boolean {
  if (!res.writableFinished || res.get('Idempotent-Replayed')) return true;
  return res.statusCode >= 400 && res.statusCode < 500;
}
