import type { Request } from 'express';
import type { BatchRef } from '../db/batches.ts';
import { callerOf } from './authenticate.ts';

/** An account's batch that the path names; null when its id is none. */
export function readBatchRef(req: Request, accountId: number): BatchRef | null {
  const batchId = String(req.params.batch_id).toLowerCase();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(batchId) ? { accountId, batchId } : null;
}

/** The caller's batch that the path names; null when its id is none. */
export function batchRefOf(req: Request): BatchRef | null {
  return readBatchRef(req, callerOf(req).accountId);
}
