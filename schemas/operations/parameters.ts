import { checkTypeNames, getCheckType } from '../check-types.ts';
import type { Parameter } from './operation.ts';

const uuid = { type: 'string', format: 'uuid', examples: ['0e0bd036-ac62-4143-9dfa-84aa98ff32d4'] };

/** Descriptions and schemas of the parameters in paths. */
const inPaths: Record<string, Pick<Parameter, 'description' | 'schema'>> = {
  batch_id: { description: 'The `batch_id` of the batch.', schema: uuid },
  monitor_id: {
    description: 'The `monitor_id` of the monitor.',
    schema: { ...uuid, examples: ['7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21'] },
  },
  annotation_id: {
    description: 'The `annotation_id` in the list of notes.',
    schema: { type: 'integer', minimum: 1, examples: [12] },
  },
  request_id: {
    description: 'The `request_id` of a single check or of an item of a batch.',
    schema: { type: 'integer', examples: [48151] },
  },
  token_id: {
    description: 'The `token_id` in the list of tokens.',
    schema: { type: 'integer', examples: [9] },
  },
  member_id: {
    description: 'The `member_id` in the list of members.',
    schema: { type: 'integer', examples: [9] },
  },
};

/** Returns the parameters in a path, such as `/api/v1/batch/{batch_id}`. */
export function listPathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const described = inPaths[name];
    if (!described) throw new Error(`the path parameter ${name} has no description`);
    return { in: 'path', name, ...described };
  });
}

export const submissionId: Parameter = {
  in: 'query',
  name: 'submission_id',
  description: 'Only batches of this submission.',
  schema: uuid,
};

export const wait: Parameter = {
  in: 'query',
  name: 'wait',
  description: 'Seconds to wait for the end of the batch before responding.',
  schema: { type: 'integer', minimum: 0, maximum: 25, default: 0 },
};

export const ifNoneMatch: Parameter = {
  in: 'header',
  name: 'If-None-Match',
  description: 'The `ETag` of an earlier response. The status is 304 if nothing has changed.',
  schema: { type: 'string' },
};

export const include: Parameter = {
  in: 'query',
  name: 'include',
  description:
    '`evidence`: adds `asked`, the queries that were sent to Google. `results`: adds the organic results on the pages ' +
    'that were read, for queries with `include: ["results"]`. `ai_overview`: adds the sources and the text of the AI ' +
    'Overview, for queries with `include: ["ai_overview"]`. Separate several values with commas.',
  schema: { type: 'string', examples: ['evidence'] },
};

export const resultFilters: readonly Parameter[] = [
  enumParameter(
    'show',
    [...new Set(checkTypeNames.flatMap((type) => [...getCheckType(type).filters]))],
    'Only results of this kind. Which kinds exist depends on the type.',
  ),
  textParameter('q', 'Only results with this text in the URL, keyword or target. Ignores case.', '/shoes'),
];

/** Accepted by every request below /api/v1 except GET. */
export const idempotencyKey: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Your own unique id of this request. A repetition within 24 hours gets the same response and is not charged again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['october-crawl'] },
};

export const paging: readonly Parameter[] = [
  {
    in: 'query',
    name: 'page',
    description: 'Page number, from 1.',
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

export function enumParameter(name: string, words: readonly string[], description: string): Parameter {
  return { in: 'query', name, description, schema: { type: 'string', enum: [...words] } };
}

export function textParameter(name: string, description: string, example: string): Parameter {
  return { in: 'query', name, description, schema: { type: 'string', examples: [example] } };
}

/** Headers of every webhook (Standard Webhooks 1.0). */
export const webhookHeaders: readonly Parameter[] = [
  {
    in: 'header',
    name: 'webhook-id',
    description: 'The same for all attempts of a delivery.',
    schema: { type: 'string', examples: ['msg_0e0bd036-ac62-4143-9dfa-84aa98ff32d4'] },
  },
  {
    in: 'header',
    name: 'webhook-timestamp',
    description: 'Unix time in seconds. Reject webhooks that are off by more than five minutes.',
    schema: { type: 'integer', examples: [1795167665] },
  },
  {
    in: 'header',
    name: 'webhook-signature',
    description: 'One `v1,` signature per valid secret, separated by spaces.',
    schema: { type: 'string', examples: ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='] },
  },
];
