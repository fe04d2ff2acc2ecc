import type { Request } from 'express';
import { batchNotFound } from '../../batches/errors.ts';
import type { BatchRef } from '../../db/batches/batches.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { getCaller } from '../http/authenticate.ts';

/**
 * Returns the reference of the batch in a path. The batch may not exist. The reference is limited to the caller's
 * account, and to live or test data. Throws the error of `missing` if the id is invalid.
 */
export function getBatchRef(req: Request, missing: () => Error = batchNotFound): BatchRef {
  const { accountId, isTest } = getCaller(req);
  return { ...readBatchRef(req, accountId, missing), isTest };
}

/** Reads a batch reference. For requests without a token. */
export function readBatchRef(
  req: Pick<Request, 'params'>,
  accountId: number,
  missing: () => Error,
): BatchRef {
  const batchId = parseUuid(req.params.batch_id);
  if (!batchId) throw missing();
  return { accountId, batchId };
}
