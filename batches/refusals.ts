import type { BatchRow } from '../db/batches/batches.ts';
import { ApiError } from '../process/api-error.ts';

/** The same for a batch that is not there and for one that is another's. */
export function noBatch(): ApiError {
  return new ApiError('not_found', 'No batch with this id in your account. GET /api/v1/batches lists them.');
}

/** An ended batch can be checked again any number of times while its inputs are kept. */
export function refuseUnlessEnded({ completedAt, purgedAt }: BatchRow): void {
  if (!completedAt) {
    throw new ApiError(
      'batch_not_finished',
      'This batch is still running. Check it again when it has ended.',
    );
  }
  if (purgedAt) throw inputsExpired();
}

/** A running batch is not compared: results that it has not stored yet would count as removed. */
export function refuseUnlessComparable({ completedAt, purgedAt }: BatchRow): void {
  if (!completedAt) {
    const message = 'One of these batches is still running. Compare them when both have ended.';
    throw new ApiError('batch_not_finished', message, { retryAfterSeconds: 2 });
  }
  if (purgedAt) throw new ApiError('results_expired', 'The results of these batches are no longer kept.');
}

/** Only what has ended is tried again, once, and while its inputs are kept. */
export function refuseUnlessRetryable({ completedAt, retriedAs, purgedAt }: BatchRow): void {
  if (!completedAt) {
    throw new ApiError('batch_not_finished', 'This batch is still running. Retry it when it has ended.');
  }
  if (retriedAs) {
    throw new ApiError('already_retried', `This batch was retried before, as ${retriedAs}.`, {
      details: { retried_as: retriedAs },
    });
  }
  if (purgedAt) throw inputsExpired();
}

function inputsExpired(): ApiError {
  return new ApiError('results_expired', 'The inputs of this batch are no longer kept. Submit them again.');
}
