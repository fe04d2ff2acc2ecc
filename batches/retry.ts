import * as batches from '../db/batches/batches.ts';
import type { Db } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import type { BatchRequest } from './accept.ts';
import { readInputs } from './check-again.ts';
import { batchNotFound, requireRetryable } from './errors.ts';

/**
 * Returns a request that checks the failed items of an ended batch again with the same options. Skipped entries are
 * left out, because they would fail again. Throws ApiError if the batch is missing, is still running, was already
 * retried or has expired. Also throws ApiError if no check failed.
 */
export async function prepareRetry(db: Db, ref: batches.BatchRef): Promise<BatchRequest> {
  const batch = await batches.find(db, ref);
  if (!batch) throw batchNotFound();
  requireRetryable(batch);
  const inputs = await readInputs(db, batch, { show: 'failed' });
  if (inputs.length === 0) throw nothingToRetry();
  const { accountId, type, options, reference, webhookUrl, batchId, isTest } = batch;
  return {
    accountId,
    type,
    options,
    reference,
    webhookUrl,
    inputs,
    skipped: [],
    duplicates: 0,
    retryOf: batchId,
    isTest,
  };
}

function nothingToRetry(): ApiError {
  const message = 'This batch has no failed checks to retry.';
  return new ApiError('validation_failed', message, { details: { errors: { batch_id: [message] } } });
}
