import type { Request } from 'express';
import type { BatchRef } from '../db/batches.ts';
import { callerOf } from './authenticate.ts';
import { type ApiError, notFound } from './errors.ts';

/** The batch that a path names, as one of the caller's; whether it is there is for the database to say. */
export function batchRefOf(req: Request): BatchRef {
  const ref = readBatchRef(req, callerOf(req).accountId);
  if (!ref) throw noBatch();
  return ref;
}

/** The same of any account; null when the path's id is none. */
export function readBatchRef(req: Request, accountId: number): BatchRef | null {
  const batchId = String(req.params.batch_id).toLowerCase();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(batchId) ? { accountId, batchId } : null;
}

export function noBatch(): ApiError {
  return notFound('No batch with this id in your account. GET /api/v1/batches lists them.');
}
