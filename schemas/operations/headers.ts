export const headers = {
  'X-Request-Id': {
    description: 'Id of this request in the logs. Send it to the operator if something went wrong.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1, examples: [5] },
  },
  Location: {
    description: 'URL of the batch.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  ETag: {
    description: 'Version of the response. Send it as `If-None-Match`.',
    required: true,
    schema: { type: 'string', examples: ['W/"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"'] },
  },
  RateLimit: {
    description: 'Remaining requests of this minute: `"post"; r=599; t=60` (IETF draft 8).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Requests per minute: `"post"; q=600; w=60; pk=…` (IETF draft 8).',
    schema: { type: 'string' },
  },
  Link: {
    description: 'Other pages of the list by `rel`: first, next, prev (RFC 8288).',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', examples: ['Bearer'] },
  },
} as const;

/** Additional headers of errors by status. */
export const errorHeaders: Record<number, readonly (keyof typeof headers)[]> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Headers of every response to a request with a valid token. Missing if the operator has turned the limits off. */
export const limitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;
