import type { Failed } from '../../checks/outcome.ts';
import { failures } from '../../schemas/failures.ts';
import { type ApiError, tryAgain, validationError } from '../http/errors.ts';

/**
 * What a caller who waits is told when a check brought no answer; the credit is back by then. `field`: what
 * was asked.
 */
export function failureError({ error: word }: Failed, field: string): ApiError {
  const { sentence, retryAfterSeconds, ...rest } = failures[word];
  if (word === 'invalid_url' || word === 'target_not_allowed' || word === 'canceled') {
    return validationError({ [field]: [sentence] });
  }
  const seconds = retryAfterSeconds ?? 5;
  const hint = 'isForOperator' in rest ? '' : ` Try again in ${seconds} seconds.`;
  return tryAgain(`${sentence} Nothing was charged.${hint}`, word, seconds);
}
