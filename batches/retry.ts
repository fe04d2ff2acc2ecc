import assert from 'node:assert/strict';
import * as batches from '../db/batches/batches.ts';
import * as items from '../db/batches/items.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db } from '../db/postgres/connect.ts';
import { Refused } from '../process/refused.ts';
import type { InputOf } from '../schemas/check-types.ts';
import { type Accepted, accept, type BatchEntry, type BatchRequest, type Desk } from './accept.ts';
import { noBatch, refuseUnlessRetryable } from './refusals.ts';

/**
 * A new batch of the failed items of an ended one, with the same options. Entries that never were inputs stay
 * behind: they would fail again. Refused for what has not ended, was retried, is no longer kept, has nothing
 * to try or is not there.
 */
export function retry(desk: Desk & { db: Db }, ref: batches.BatchRef): Act<Accepted> {
  let act: Act<Accepted> | null = null;
  return {
    before: async () => {
      const request = await requestOf(desk.db, ref);
      act = accept(desk, request, async (trx, batchId) => {
        // Looked at again under the lock: of two retries at once, one makes the batch and the other is told
        // of it.
        const locked = await batches.lock(trx, ref);
        if (locked) refuseUnlessRetryable(locked);
        await batches.linkRetry(trx, ref, batchId);
      });
      await act.before?.();
    },
    perform: (trx) => {
      assert(act, 'a retry is prepared before its transaction');
      return act.perform(trx);
    },
  };
}

async function requestOf(db: Db, ref: batches.BatchRef): Promise<BatchRequest> {
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

function nothingToRetry(): Refused {
  const message = 'No item of this batch can be tried again: none failed that was a check.';
  return new Refused('validation_failed', message, { details: { errors: { batch_id: [message] } } });
}
