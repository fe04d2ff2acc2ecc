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
