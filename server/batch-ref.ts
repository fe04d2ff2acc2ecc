import type { Request } from 'express';
import type { BatchRef } from '../db/batches.ts';
import { callerOf } from './authenticate.ts';

/** The caller's batch that the path names; null when its id is none. */
export function batchRefOf(req: Request): BatchRef | null {
  const batchId = String(req.params.batch_id).toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(batchId)) return null;
  return { accountId: callerOf(req).accountId, batchId };
}
