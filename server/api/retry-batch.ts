import * as batches from '../../db/batches.ts';
import type { Db } from '../../db/connect.ts';
import * as items from '../../db/items.ts';
import type { Context } from '../context.ts';
import { ApiError, validationError } from '../http/errors.ts';
import type { KeyClaim } from '../http/idempotency.ts';
import type { Reply } from '../http/reply.ts';
import { acceptBatch, type BatchInput } from './accept-batch.ts';
import { unitOf } from './queries.ts';

/**
 * A new batch of the failed items of an ended one, with the same options. Entries that were never addresses stay
 * behind: they would fail again. Null when the account has no such batch.
 */
export async function retryBatch(
  context: Context,
  ref: batches.BatchRef,
  key: KeyClaim,
): Promise<Reply | null> {
  const batch = await batches.find(context.db, ref);
  if (!batch) return null;
  refuseUnlessRetryable(batch);
  const inputs = await failedInputs(context.db, batch);
  if (inputs.length === 0) {
    throw validationError({
      batch_id: ['No item of this batch can be tried again: none failed on our side.'],
    });
  }
  const { accountId, type, options, reference, webhookUrl } = batch;
  const request = { accountId, type, options, reference, webhookUrl, inputs, skipped: [], duplicates: 0 };
  return acceptBatch(context, { ...request, retryOf: ref.batchId }, key, async (trx, batchId) => {
    // Looked at again under the lock: of two retries at once, one makes the batch and the other is told of it.
    const locked = await batches.lock(trx, ref);
    if (locked) refuseUnlessRetryable(locked);
    await batches.linkRetry(trx, ref, batchId);
  });
}

function refuseUnlessRetryable(batch: batches.BatchRow): void {
  if (!batch.completedAt) {
    throw new ApiError(409, 'batch_not_finished', 'This batch is still running. Retry it when it has ended.');
  }
  if (batch.retriedAs) {
    throw new ApiError(409, 'already_retried', `This batch was retried before, as ${batch.retriedAs}.`, {
      body: { retried_as: batch.retriedAs },
    });
  }
  if (batch.purgedAt) {
    throw new ApiError(
      410,
      'results_expired',
      'The inputs of this batch are no longer kept. Submit them again.',
    );
  }
}

async function failedInputs(db: Db, batch: batches.BatchRow): Promise<BatchInput[]> {
  const failed = await items.page(db, batch, { afterPosition: -1, limit: batch.total, state: 'failed' });
  return failed
    .filter(({ error }) => error !== 'invalid_url')
    .map(({ input }, position) => ({
      position,
      input,
      ...(batch.type === 'keyword' ? { unit: unitOf(input) } : {}),
    }));
}
