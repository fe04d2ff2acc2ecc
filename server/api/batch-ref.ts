import type { Request } from 'express';
import { noBatch } from '../../batches/refusals.ts';
import type { BatchRef } from '../../db/batches/batches.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { callerOf } from '../http/authenticate.ts';

/**
 * The batch that a path names, as one of the caller's, live or of tests as its token is; whether it is there is for
 * the database to say. Throws `missing` when what the path has is no id.
 */
export function batchRefOf(req: Request, missing: () => Error = noBatch): BatchRef {
  const { accountId, isTest } = callerOf(req);
  return { ...readBatchRef(req, accountId, missing), isTest };
}

/** The same as one of an account's, where nobody calls by a token. */
export function readBatchRef(
  req: Pick<Request, 'params'>,
  accountId: number,
  missing: () => Error,
): BatchRef {
  const batchId = parseUuid(req.params.batch_id);
  if (!batchId) throw missing();
  return { accountId, batchId };
}
