import Type from 'typebox';
import { Nullable, Simulated, StringEnum } from './common.ts';

/** User agents for requests to a target. Some sites send a different page to crawlers or to browsers. */
const userAgents = ['sonde', 'googlebot', 'browser'] as const;
export type UserAgent = (typeof userAgents)[number];

/** Options of all HTTP checks of a request. */
export const HttpStatusOptions = Type.Object({
  follow_redirects: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: report the first response, which may be a redirect',
    }),
  ),
  user_agent: Type.Optional(
    StringEnum(userAgents, {
      default: 'sonde',
      description: "User agent of the request: our own, Google's crawler, or a browser",
    }),
  ),
});
export type HttpStatusOptions = Type.Static<typeof HttpStatusOptions>;

/** Errors of an HTTP check. A check with one of these errors has an answer and is charged. */
export const httpErrors = [
  'dns_not_found',
  'connect_refused',
  'connect_timeout',
  'connection_reset',
  'response_timeout',
  'tls_error',
  'invalid_response',
  'headers_too_large',
  'too_many_redirects',
  'redirect_loop',
  'invalid_redirect',
] as const;
export type HttpError = (typeof httpErrors)[number];

/** Sentences about the errors, for people. */
export const httpErrorWords: Record<HttpError, string> = {
  dns_not_found: 'The host name does not exist or has no IP address.',
  connect_refused: 'The server refuses connections.',
  connect_timeout: 'The connection timed out.',
  connection_reset: 'The server closed the connection before it answered.',
  response_timeout: 'The server accepted the request but did not answer in time.',
  tls_error: 'The certificate or the TLS connection is invalid.',
  invalid_response: 'The response is not valid HTTP.',
  headers_too_large: 'The response has more than 64 KiB of headers.',
  redirect_loop: 'Redirect loop: more than ten redirects, and a URL repeats. We do not send cookies.',
  too_many_redirects: 'More than ten redirects. The final URL is the last one that we requested.',
  invalid_redirect: 'The URL redirects to an invalid URL.',
};

/** Answer of an HTTP check. If there was no HTTP response, `status` is 0, and `error` is the reason. */
export const HttpStatusAnswer = Type.Object({
  status: Type.Integer({
    minimum: 0,
    maximum: 999,
    description: 'Status of the last response, after at most 10 redirects; 0 if there was no response',
  }),
  is_soft404: Type.Boolean({
    description: 'True if the status is 200, but the page says that its content was not found',
  }),
  initial_status: Type.Integer({ minimum: 0, maximum: 999, description: 'Status of the first response' }),
  redirect_count: Type.Integer({ minimum: 0, maximum: 10 }),
  redirects: Type.Array(
    Type.Object({
      url: Type.String({ maxLength: 512 }),
      status: Type.Integer({ minimum: 300, maximum: 399 }),
    }),
    { description: 'URLs that redirected, in order. Each is cut to 512 characters' },
  ),
  redirects_cut: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Number of redirects in the middle that were removed, because the list was too long',
    }),
  ),
  final_url: Type.String({ description: 'The URL of the last request' }),
  content_type: Nullable(Type.String({ maxLength: 255 })),
  response_time_ms: Type.Integer({
    minimum: 0,
    description: 'Time from the first request to the headers of the last response',
  }),
  soft404_checked: Type.Boolean({
    description: 'True if the page was judged: readable HTML with status 200',
  }),
  soft404_reasons: Type.Array(Type.String(), {
    description: 'Signs of a soft 404 on the page',
    examples: [['title_not_found', 'short_text']],
  }),
  bot_wall: Nullable(
    Type.String(),
    'Bot protection that blocked the check, such as cloudflare; null if there was none',
  ),
  title: Type.Optional(
    Nullable(
      Type.String({ maxLength: 200 }),
      'Title of the page. Only if the status is 200, 403, 429 or 503',
    ),
  ),
  canonical: Type.Optional(
    Nullable(Type.String({ maxLength: 512 }), 'Canonical URL, from the head of the page or a `Link` header'),
  ),
  noindex: Type.Optional(
    Nullable(
      StringEnum(['meta', 'header'] as const),
      'Where the page asks Google not to index it: in a robots meta tag or in `X-Robots-Tag`',
    ),
  ),
  simulated: Simulated,
  error_detail: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Details as text. Only if `error` is `invalid_response` or `tls_error`',
      examples: ['The response is not valid HTTP: Duplicate Content-Length.'],
    }),
  ),
  error: Nullable(
    StringEnum(httpErrors),
    'Why there was no response, or what was wrong with the last response; null for a valid response. Sonde sends no ' +
      'cookies, so that a site that redirects visitors without its cookie is a `redirect_loop`. `headers_too_large`: ' +
      'more than 64 KiB of headers',
  ),
});
export type HttpStatusAnswer = Type.Static<typeof HttpStatusAnswer>;
