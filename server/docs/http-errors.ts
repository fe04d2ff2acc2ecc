import type { HttpError } from '../../schemas/http-status.ts';

/** What the `error` of an HTTP check says, for people. */
export const httpErrorMeanings: Record<HttpError, string> = {
  dns_not_found: 'The name does not exist, or has no address.',
  connect_refused: 'The host refused the connection.',
  connect_timeout: 'No connection came about in time.',
  connection_reset: 'The connection was cut before an answer came.',
  response_timeout: 'Connected, but no answer came in time.',
  tls_error: 'No secure connection came about, for example because the certificate is not valid.',
  invalid_response: 'The response is not valid HTTP; `error_detail` names the reason.',
  headers_too_large: 'The response has more than 64 KiB of headers.',
  redirect_loop:
    'More than 10 redirects, and an address came back; status is that of the last one. Cookies are not kept, so a site that redirects until its cookie comes back ends here too.',
  too_many_redirects: 'More than 10 redirects; status is that of the last one.',
  invalid_redirect: 'It redirects to something that is not of the web; status is that of the redirect.',
};
