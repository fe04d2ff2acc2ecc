/** The response headers that answers refer to by name. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this request in the logs; tell it to the operator when something went wrong.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': {
    description: 'Seconds after which it is worth asking again.',
    schema: { type: 'integer', minimum: 1, examples: [5] },
  },
  Location: {
    description: 'Where the batch is found.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  ETag: {
    description: 'Changes when the answer would; send it back as `If-None-Match`.',
    required: true,
    schema: { type: 'string', examples: ['W/"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"'] },
  },
  RateLimit: {
    description: 'What is left for this account in this minute: `"post"; r=599; t=60` (IETF draft 8).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'What there is in a minute: `"post"; q=600; w=60; pk=…` (IETF draft 8).',
    schema: { type: 'string' },
  },
  Link: {
    description: 'The pages around this one, by `rel`: first, next, prev (RFC 8288).',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the kept answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', examples: ['Bearer'] },
  },
} as const;

/** Headers of errors, by status, besides those of every answer. */
export const errorHeaders: Record<number, readonly (keyof typeof headers)[]> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Of every answer to a request with a valid token, unless the operator has set no limit. */
export const limitHeaders = ['RateLimit', 'RateLimit-Policy'] as const;
