import type { HttpError } from '../../schemas/http-status.ts';

/** Meanings of the `error` values of HTTP checks. */
export const httpErrorMeanings: Record<HttpError, string> = {
  dns_not_found: 'The host name does not exist or has no IP address.',
  connect_refused: 'The host refused the connection.',
  connect_timeout: 'The connection was not established in time.',
  connection_reset: 'The connection was closed before an answer arrived.',
  response_timeout: 'The host accepted the connection but did not answer in time.',
  tls_error: 'The TLS connection failed, for example because the certificate is invalid.',
  invalid_response: 'The response is not valid HTTP; `error_detail` names the reason.',
  headers_too_large: 'The response has more than 64 KiB of headers.',
  redirect_loop:
    'More than 10 redirects, and a URL repeats; `status` is that of the last one. We send no cookies. A site that redirects until its cookie is sent also has this error.',
  too_many_redirects: 'More than 10 redirects; `status` is that of the last one.',
  invalid_redirect: 'The redirect target is not an HTTP URL; `status` is that of the redirect.',
};
