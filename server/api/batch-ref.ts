import type { Request } from 'express';
import { batchNotFound } from '../../batches/errors.ts';
import type { BatchRef } from '../../db/batches/batches.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { getCaller } from '../http/authenticate.ts';

/**
 * Returns the reference of the batch in a path. The batch may not exist. The reference finds only batches of the
 * caller's account: test batches for a test token, otherwise live batches.
 */
export function getBatchRef(req: Request): BatchRef {
  const { accountId, isTest } = getCaller(req);
  return { ...readBatchRef(req, accountId, batchNotFound), isTest };
}

/** Reads the batch id in a path, for requests without a token. Throws the error of `missing` if the id is invalid. */
export function readBatchRef(
  req: Pick<Request, 'params'>,
  accountId: number,
  missing: () => Error,
): BatchRef {
  const batchId = parseUuid(req.params.batch_id);
  if (!batchId) throw missing();
  return { accountId, batchId };
}
