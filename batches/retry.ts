import * as batches from '../db/batches/batches.ts';
import * as items from '../db/batches/items.ts';
import type { Db } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import type { InputOf } from '../schemas/check-types.ts';
import type { BatchEntry, BatchRequest } from './accept.ts';
import { noBatch, refuseUnlessRetryable } from './refusals.ts';

/**
 * Reads the failed items of an ended batch as a new one with the same options. Entries that never were inputs stay
 * behind: they would fail again. Throws ApiError for a batch that is missing, still running, retried before or no
 * longer kept, and when no check failed.
 */
export async function readRetry(db: Db, ref: batches.BatchRef): Promise<BatchRequest> {
  const batch = await batches.find(db, ref);
  if (!batch) throw noBatch();
  refuseUnlessRetryable(batch);
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
  const message = 'No item of this batch can be tried again: none failed that was a check.';
  return new ApiError('validation_failed', message, { details: { errors: { batch_id: [message] } } });
}
