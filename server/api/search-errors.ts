import type { Failed } from '../../checks/outcome.ts';
import { type ApiError, tryAgain } from '../http/errors.ts';

/** What a caller who waits is told when a search brought no answer; nothing was charged. */
export function searchError({ error, message }: Failed): ApiError {
  switch (error) {
    case 'provider_refused':
      return tryAgain(
        'The search provider refused this service; the operator must act. Nothing was charged.',
        error,
        300,
      );
    case 'query_rewritten':
      return tryAgain('Google answered another query than was asked. Nothing was charged.', error, 60);
    case 'google_unreadable':
      return tryAgain(
        'Google could not be read just now. Nothing was charged. Try again in 5 seconds.',
        error,
      );
    default:
      return tryAgain(`${message} Nothing was charged. Try again in 5 seconds.`, 'checker_failed');
  }
}
