import Type from 'typebox';
import { Nullable, Simulated, Word } from './text.ts';

/** Under whose name a target is asked: our own, or one that sites answer otherwise. */
export const userAgents = ['sonde', 'googlebot', 'browser'] as const;
export type UserAgent = (typeof userAgents)[number];

/** What holds for every HTTP check of a request. */
export const HttpStatusOptions = Type.Object({
  follow_redirects: Type.Optional(
    Type.Boolean({ default: true, description: 'false reports the first answer, redirect or not' }),
  ),
  user_agent: Type.Optional(
    Word(userAgents, {
      default: 'sonde',
      description: 'Under whose name the target is asked: our own, Google’s crawler’s or a browser’s',
    }),
  ),
});
export type HttpStatusOptions = Type.Static<typeof HttpStatusOptions>;

/** What stands in place of an HTTP answer, or beside the last one; all of these are answers and paid for. */
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

/**
 * What an HTTP check found. `status` is 0 exactly when no HTTP answer came, and `error` then
 * says why; `initial_status` and `final_url` are those of the first and the last request.
 */
export const HttpStatusAnswer = Type.Object({
  status: Type.Integer({
    minimum: 0,
    maximum: 999,
    description: 'Of the last answer after at most 10 redirects; 0 when none came, and `error` says why',
  }),
  is_soft404: Type.Boolean({ description: 'The page answers 200 and says that it is not there' }),
  initial_status: Type.Integer({ minimum: 0, maximum: 999, description: 'Of the first answer' }),
  redirect_count: Type.Integer({ minimum: 0, maximum: 10 }),
  redirects: Type.Array(
    Type.Object({
      url: Type.String({ maxLength: 512 }),
      status: Type.Integer({ minimum: 300, maximum: 399 }),
    }),
    { description: 'Each address that redirected, in order; addresses are cut at 512 characters' },
  ),
  redirects_cut: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Redirects left out of the middle, where they were too long to keep',
    }),
  ),
  final_url: Type.String({ description: 'The address asked last' }),
  content_type: Nullable(Type.String({ maxLength: 255 })),
  response_time_ms: Type.Integer({ minimum: 0, description: 'From the first request to the last headers' }),
  soft404_checked: Type.Boolean({ description: 'false for anything but a readable 200 HTML page' }),
  soft404_reasons: Type.Array(Type.String(), {
    description: 'The signals that spoke for a soft 404',
    examples: [['title_not_found', 'short_text']],
  }),
  bot_wall: Nullable(Type.String(), 'Who stopped the check, such as cloudflare; null when nobody did'),
  title: Type.Optional(
    Nullable(
      Type.String({ maxLength: 200 }),
      'The title of the page, which is read where the status is 200, 403, 429 or 503',
    ),
  ),
  canonical: Type.Optional(
    Nullable(
      Type.String({ maxLength: 512 }),
      'Canonical address, from the head of the page or a `Link` header',
    ),
  ),
  noindex: Type.Optional(
    Nullable(
      Word(['meta', 'header'] as const),
      'Where the page asks Google not to index it: in a robots meta tag or by `X-Robots-Tag`',
    ),
  ),
  simulated: Simulated,
  error_detail: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'What was wrong, in a sentence, where `error` is `invalid_response` or `tls_error`',
      examples: ['The response is not valid HTTP: Duplicate Content-Length.'],
    }),
  ),
  error: Nullable(
    Word(httpErrors),
    'Why no answer came, or what was wrong with the last; null when all was well. Cookies are not kept between redirects, so a site that redirects until its cookie comes back is a `redirect_loop`. `headers_too_large`: more than 64 KiB of headers.',
  ),
});
export type HttpStatusAnswer = Type.Static<typeof HttpStatusAnswer>;
