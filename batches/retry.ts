import * as batches from '../db/batches/batches.ts';
import * as items from '../db/batches/items.ts';
import type { Db } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import type { InputOf } from '../schemas/check-types.ts';
import type { BatchEntry, BatchRequest } from './accept.ts';
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
  const inputs = await failedInputs(db, batch);
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

async function failedInputs(db: Db, batch: batches.BatchRow): Promise<BatchEntry[]> {
  const failed = await items.page(db, batch, { afterPosition: -1, limit: batch.total, state: 'failed' });
  return failed
    .filter(({ error }) => error !== 'invalid_url')
    .map(({ input }, position) => ({ position, input: input as InputOf }));
}

function nothingToRetry(): ApiError {
  const message = 'This batch has no failed checks to retry.';
  return new ApiError('validation_failed', message, { details: { errors: { batch_id: [message] } } });
}
