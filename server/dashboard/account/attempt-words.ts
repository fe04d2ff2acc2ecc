import type { FetchErrorCode } from '../../../net/fetch-error.ts';

/** Why a receiver gave no answer, as people say it. */
export function attemptWords(error: string | null): string {
  if (error === null) return 'No answer';
  return words[error as FetchErrorCode] ?? error.replaceAll('_', ' ');
}

const words: Record<FetchErrorCode | 'no_signing_secret', string> = {
  dns_not_found: 'The name does not exist',
  connect_refused: 'Connection refused',
  connect_timeout: 'No connection in time',
  connection_reset: 'Connection broken off',
  response_timeout: 'No answer in time',
  tls_error: 'Certificate or encryption not right',
  invalid_response: 'Not valid HTTP',
  headers_too_large: 'More than 64 KiB of headers',
  target_not_allowed: 'A private address, never contacted',
  dns_failed: 'Names could not be looked up here',
  network_down: 'The network here was down',
  no_place: 'Too many at this host at once',
  aborted: 'Given up here',
  no_signing_secret: 'No secret to sign with',
};
