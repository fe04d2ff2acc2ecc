import type { BatchRow } from '../db/batches/batches.ts';
import { ApiError } from '../process/api-error.ts';

/** Returns the same error for a batch of another account, so that callers cannot find out which ids exist. */
export function batchNotFound(): ApiError {
  return new ApiError(
    'not_found',
    'No batch with this id in your account. GET /api/v1/batches lists your batches.',
  );
}

/** Throws ApiError if a batch is still running or its inputs are no longer stored. */
export function requireEndedWithInputs({ completedAt, purgedAt }: BatchRow): void {
  if (!completedAt) {
    throw new ApiError(
      'batch_not_finished',
      'This batch is still running. After it has ended, you can check its inputs again.',
    );
  }
  if (purgedAt) throw inputsExpired();
}

/**
 * Throws ApiError if a batch is still running or its results have expired. A comparison would show missing results as
 * removed.
 */
export function requireComparable({ completedAt, purgedAt }: BatchRow): void {
  if (!completedAt) {
    const message = 'One of these batches is still running. Compare them when both have ended.';
    throw new ApiError('batch_not_finished', message, { retryAfterSeconds: 2 });
  }
  if (purgedAt)
    throw new ApiError(
      'results_expired',
      'The results of one of these batches are no longer stored. Compare later batches.',
    );
}

/** Throws ApiError if a batch is still running, was already retried, or its inputs are no longer stored. */
export function requireRetryable({ completedAt, retriedAs, purgedAt }: BatchRow): void {
  if (!completedAt) {
    throw new ApiError('batch_not_finished', 'This batch is still running. Retry it when it has ended.');
  }
  if (retriedAs) {
    throw new ApiError('already_retried', `This batch was already retried as ${retriedAs}.`, {
      details: { retried_as: retriedAs },
    });
  }
  if (purgedAt) throw inputsExpired();
}

function inputsExpired(): ApiError {
  return new ApiError('results_expired', 'The inputs of this batch are no longer stored. Submit them again.');
}
