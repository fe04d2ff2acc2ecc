import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import pLimit, { type LimitFunction } from 'p-limit';
import { bytesReadOf, longBytesMin } from '../http/read-bytes.ts';
import { rest } from './rest.ts';

/**
 * After the bytes of a body are read: long bodies of one account are parsed and answered one after the other, with
 * rests. Their bytes cost only room; four at once made of them are values that hold everybody when they are collected.
 */
export function lineUpLongBodies(accountOf: (req: Request) => number): RequestHandler {
  const lines = new Map<number, LimitFunction>();
  return (req, res, next) => {
    if (bytesReadOf(req) < longBytesMin) return next();
    const accountId = accountOf(req);
    const line = lines.get(accountId) ?? pLimit(1);
    lines.set(accountId, line);
    const serve = async () => {
      if (res.closed) return;
      const beganMs = performance.now();
      next();
      await closed(res);
      await rest(accountId, beganMs);
    };
    void line(serve).finally(() => {
      if (line.activeCount + line.pendingCount === 0) lines.delete(accountId);
    });
  };
}

async function closed(res: Response): Promise<void> {
  if (!res.closed) await once(res, 'close').catch(() => {});
}
