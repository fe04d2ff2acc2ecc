import { checkTypeEntry, checkTypeNames } from '../check-types.ts';
import type { Parameter } from './operation.ts';

const uuid = { type: 'string', format: 'uuid', examples: ['0e0bd036-ac62-4143-9dfa-84aa98ff32d4'] };

export const batchId: Parameter = {
  in: 'path',
  name: 'batch_id',
  description: 'As the 202 of a bulk request names it.',
  schema: uuid,
};

export const monitorId: Parameter = {
  in: 'path',
  name: 'monitor_id',
  description: 'As the 201 of a new monitor names it.',
  schema: { ...uuid, examples: ['7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21'] },
};

/** Only batches that were submitted as one. */
export const submissionId: Parameter = {
  in: 'query',
  name: 'submission_id',
  description: 'Only batches of this submission.',
  schema: uuid,
};

export const requestId: Parameter = {
  in: 'path',
  name: 'request_id',
  description: 'Of a single check, or of an item of a batch.',
  schema: { type: 'integer', examples: [48151] },
};

export const wait: Parameter = {
  in: 'query',
  name: 'wait',
  description: 'Seconds: answer when the batch has ended, or after this time.',
  schema: { type: 'integer', minimum: 0, maximum: 25, default: 0 },
};

export const ifNoneMatch: Parameter = {
  in: 'header',
  name: 'If-None-Match',
  description: 'The `ETag` of an earlier answer: 304 while nothing has changed.',
  schema: { type: 'string' },
};

/** What of an answer is shown besides what always is. */
export const include: Parameter = {
  in: 'query',
  name: 'include',
  description:
    '`evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries ' +
    'with `include: ["results"]`. Both with a comma.',
  schema: { type: 'string', examples: ['evidence'] },
};

/** Some of a batch's results: of a kind, and with a text in what was asked. */
export const selection: readonly Parameter[] = [
  word(
    'show',
    [...new Set(checkTypeNames.flatMap((type) => [...checkTypeEntry(type).filters]))],
    'Only results of this kind; which there are depends on the type.',
  ),
  text('q', 'Only results with this text in the URL, the keyword or its target, in any case.', '/shoes'),
];

/** For every request under /api/v1 but GETs. */
export const idempotencyKey: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge.',
  schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['october-crawl'] },
};

/** Of every list. */
export const paging: readonly Parameter[] = [
  {
    in: 'query',
    name: 'page',
    description: 'Counted from 1.',
    schema: { type: 'integer', minimum: 1, maximum: 100_000, default: 1 },
  },
  {
    in: 'query',
    name: 'per_page',
    description: 'Entries per page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  {
    in: 'query',
    name: 'cursor',
    description: 'The `next_cursor` of an earlier page, instead of `page`.',
    schema: { type: 'string' },
  },
];

/** One of a closed set of words in the query. */
export function word(name: string, words: readonly string[], description: string): Parameter {
  return { in: 'query', name, description, schema: { type: 'string', enum: [...words] } };
}

/** Any text in the query. */
export function text(name: string, description: string, example: string): Parameter {
  return { in: 'query', name, description, schema: { type: 'string', examples: [example] } };
}

/** Of every webhook (Standard Webhooks 1.0). */
export const webhookHeaders: readonly Parameter[] = [
  {
    in: 'header',
    name: 'webhook-id',
    description: 'The same for every attempt at a delivery.',
    schema: { type: 'string', examples: ['msg_0e0bd036-ac62-4143-9dfa-84aa98ff32d4'] },
  },
  {
    in: 'header',
    name: 'webhook-timestamp',
    description: 'Seconds since 1970; refuse what is more than five minutes off.',
    schema: { type: 'integer', examples: [1795167665] },
  },
  {
    in: 'header',
    name: 'webhook-signature',
    description: 'One `v1,` signature per valid secret, separated by spaces.',
    schema: { type: 'string', examples: ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='] },
  },
];
