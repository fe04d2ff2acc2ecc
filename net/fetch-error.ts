/**
 * Reason for a missing HTTP response. The codes of the first group are results of a check, because the target causes
 * them. In the second group, `target_not_allowed` means that we refuse the target. `dns_failed` and `network_down` are
 * faults on our side. `no_slot` means that our limit for the host is reached. `aborted` means that the caller aborted
 * the request.
 */
export type FetchErrorCode =
  | 'dns_not_found'
  | 'connect_refused'
  | 'connect_timeout'
  | 'connection_reset'
  | 'response_timeout'
  | 'tls_error'
  | 'invalid_response'
  | 'headers_too_large'
  //
  | 'target_not_allowed'
  | 'dns_failed'
  | 'network_down'
  | 'no_slot'
  | 'aborted';

/** Failed request. For `invalid_response` and `tls_error`, the message is a sentence for the user. */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchError';
    this.code = code;
  }
}

export function createAbortedError(options?: ErrorOptions): FetchError {
  return new FetchError('aborted', 'the caller no longer waits', options);
}

/** Converts an error of the socket, TLS or parser layers. `isConnected`: true if the connection was established. */
export function toFetchError(error: unknown, isConnected: boolean): FetchError {
  const known = findFetchError(error);
  if (known) return known;
  const code = findCode(error);
  const meaning = knownCodes[code] ?? codeByPrefix(code, isConnected);
  return new FetchError(meaning, toMessage(meaning, code, findReason(error)), { cause: error });
}

function toMessage(meaning: FetchErrorCode, code: string, reason: string): string {
  if (meaning === 'invalid_response') return `The response is not valid HTTP: ${reason}.`;
  if (meaning === 'tls_error') return `The TLS connection failed: ${reason}.`;
  return `${meaning}${code ? ` (${code})` : ''}`;
}

const reasonCharsMax = 160;

// Example: `write EPROTO 80DC:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/…`.
const openSslReason = /:SSL routines:[^:]*:([^:]+)/;

/**
 * Returns the message of the HTTP parser or OpenSSL. The message may quote a certificate. It is therefore cut and made
 * printable.
 */
function findReason(error: unknown): string {
  const [cause] = errorChain(error).toReversed() as Array<Error & { reason?: unknown }>;
  const text = String(cause?.reason ?? cause?.message ?? 'unknown reason');
  // After a semicolon, Node adds advice about its command-line options.
  const [words = ''] = (openSslReason.exec(text)?.[1] ?? text).split(';', 1);
  return words
    .replaceAll(/[^ -~]/g, '?')
    .slice(0, reasonCharsMax)
    .replace(/[.:\s]+$/, '');
}

const knownCodes: Record<string, FetchErrorCode> = {
  ECONNREFUSED: 'connect_refused',
  ETIMEDOUT: 'connect_timeout',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ERR_STREAM_PREMATURE_CLOSE: 'connection_reset',
  EPROTO: 'tls_error',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ENETUNREACH: 'network_down',
  EHOSTUNREACH: 'network_down',
  ENETDOWN: 'network_down',
  EHOSTDOWN: 'network_down',
  EADDRNOTAVAIL: 'network_down',
  EACCES: 'network_down',
  EPERM: 'network_down',
  EMFILE: 'network_down',
  ENFILE: 'network_down',
  ENOBUFS: 'network_down',
  ENOMEM: 'network_down',
};

const tlsCode =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH|INVALID_PURPOSE|CRL_)/;

function codeByPrefix(code: string, isConnected: boolean): FetchErrorCode {
  if (tlsCode.test(code)) return 'tls_error';
  if (code.startsWith('HPE_') || isConnected) return 'invalid_response';
  return 'network_down';
}

// Searches all layers, because node-fetch wraps errors. If several addresses fail, an AggregateError contains their
// errors.
function findFetchError(error: unknown): FetchError | null {
  for (const layer of errorChain(error)) {
    if (layer instanceof FetchError) return layer;
  }
  return null;
}

function findCode(error: unknown): string {
  const codes = errorChain(error).map((layer) => String((layer as { code?: unknown }).code ?? ''));
  // A refused connection is preferred to a missing route, because it says more about the target.
  const specific = codes.find((code) => code && knownCodes[code] !== 'network_down');
  return specific ?? codes.find(Boolean) ?? '';
}

function errorChain(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error, ...inner, error.cause].flatMap((layer) => (layer === error ? [error] : errorChain(layer)));
}
