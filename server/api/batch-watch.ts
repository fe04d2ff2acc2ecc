import { once } from 'node:events';
import { BatchEndWatcher } from '../../batches/end-watcher.ts';
import type { BatchRef } from '../../db/batches/batches.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import { FairLimit } from '../../process/fair-limit.ts';

const waitersPerAccountMax = 50;

/**
 * Lets requests wait for batches. The returned function resolves when the batch has ended or the signal is aborted. It
 * throws a 429 if too many requests of the account wait.
 */
export function createBatchWatch(db: Db): (ref: BatchRef, signal: AbortSignal) => Promise<void> {
  const watcher = new BatchEndWatcher(db);
  const waiting = new FairLimit({ total: Number.POSITIVE_INFINITY, perAccount: waitersPerAccountMax });
  return async (ref, signal) => {
    const slot = waiting.tryAcquire(ref.accountId);
    if (!slot) throw tooManyWaiting();
    const { ended, unwatch } = watcher.watch(ref);
    const either = AbortSignal.any([ended, signal]);
    if (!either.aborted) await once(either, 'abort');
    unwatch();
    slot.release();
  };
}

function tooManyWaiting(): ApiError {
  const message = `${waitersPerAccountMax} requests of your account are already waiting. Poll without wait, or use webhook_url.`;
  return new ApiError('too_many_waiting', message, { retryAfterSeconds: 2 });
}
