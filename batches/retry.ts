import type { Act } from '../db/act.ts';
import * as batches from '../db/batches.ts';
import type { Db } from '../db/connect.ts';
import * as items from '../db/items.ts';
import { Refused } from '../refused.ts';
import type { InputOf } from '../schemas/check-types.ts';
import { type Accepted, accept, type BatchEntry, type BatchRequest, type Desk } from './accept.ts';
import { noBatch, refuseUnlessRetryable } from './refusals.ts';

export interface Retry extends Act<Accepted> {
  /** What the new batch will be. */
  request: BatchRequest;
}

/**
 * A new batch of the failed items of an ended one, with the same options. Entries that never were inputs stay behind:
 * they would fail again. Refused for what has not ended, was retried, is no longer kept, has nothing to try or is not
 * there.
 */
export async function retry(desk: Desk & { db: Db }, ref: batches.BatchRef): Promise<Retry> {
  const batch = await batches.find(desk.db, ref);
  if (!batch) throw noBatch();
  refuseUnlessRetryable(batch);
  const inputs = await failedInputs(desk.db, batch);
  if (inputs.length === 0) throw nothingToRetry();
  const { accountId, type, options, reference, webhookUrl } = batch;
  const request: BatchRequest = {
    accountId,
    type,
    options,
    reference,
    webhookUrl,
    inputs,
    skipped: [],
    duplicates: 0,
    retryOf: ref.batchId,
  };
  const act = accept(desk, request, async (trx, batchId) => {
    // Looked at again under the lock: of two retries at once, one makes the batch and the other is told of it.
    const locked = await batches.lock(trx, ref);
    if (locked) refuseUnlessRetryable(locked);
    await batches.linkRetry(trx, ref, batchId);
  });
  return { ...act, request };
}

async function failedInputs(db: Db, batch: batches.BatchRow): Promise<BatchEntry[]> {
  const failed = await items.page(db, batch, { afterPosition: -1, limit: batch.total, state: 'failed' });
  return failed
    .filter(({ error }) => error !== 'invalid_url')
    .map(({ input }, position) => ({ position, input: input as InputOf }));
}

function nothingToRetry(): Refused {
  const message = 'No item of this batch can be tried again: none failed that was a check.';
  return new Refused('validation_failed', message, { details: { errors: { batch_id: [message] } } });
}
