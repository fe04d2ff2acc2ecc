import Type from 'typebox';
import { IndexAnswer } from './check.ts';
import { HttpStatusAnswer } from './http-status.ts';
import { RankAnswer, RankQuery } from './keyword.ts';
import { Dedupe, Nullable, OnInvalid, Reference, TargetUrl, Timestamp, WebhookUrl, Word } from './text.ts';

export const batchTypes = ['index', 'http', 'keyword'] as const;
export type BatchType = (typeof batchTypes)[number];

export const batchStatuses = ['pending', 'processing', 'completed', 'partial', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** The most inputs one request may carry (SPEC.md section 8). */
export const batchSizeMax = 2000;

/** Why an item has no answer. Each is refunded; `invalid_url` was never charged. */
export const itemErrors = [
  'invalid_url',
  'target_not_allowed',
  'checker_unreachable',
  'checker_failed',
  'google_unreadable',
  'query_rewritten',
  'provider_refused',
  'canceled',
] as const;
export type ItemError = (typeof itemErrors)[number];

/** POST /http-status/bulk (SPEC.md 4.4). */
export const HttpStatusBulkRequest = Type.Object(
  {
    urls: Type.Array(TargetUrl, { minItems: 1, maxItems: batchSizeMax }),
    webhook_url: Type.Optional(WebhookUrl),
    reference: Type.Optional(Reference),
    dedupe: Type.Optional(Dedupe),
    on_invalid: Type.Optional(OnInvalid),
    follow_redirects: Type.Optional(Type.Boolean({ default: true })),
  },
  { $id: 'HttpStatusBulkRequest' },
);
export type HttpStatusBulkRequest = Type.Static<typeof HttpStatusBulkRequest>;

/** POST /check/bulk (SPEC.md 4.2). */
export const IndexBulkRequest = Type.Omit(HttpStatusBulkRequest, ['follow_redirects'], {
  $id: 'IndexBulkRequest',
});
export type IndexBulkRequest = Type.Static<typeof IndexBulkRequest>;

/** The 202 of every bulk endpoint (DESIGN.md section 4). `duplicates` counts entries equal to an earlier one. */
export const BatchAccepted = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    batch_id: Type.String({ format: 'uuid' }),
    total: Type.Integer({ minimum: 1 }),
    status: Word(batchStatuses),
    poll_url: Type.String(),
    credits_remaining: Type.Integer({ minimum: 0 }),
    duplicates: Type.Integer({ minimum: 0 }),
    reference: Nullable(Type.String()),
    retry_of: Type.Optional(Type.String({ format: 'uuid' })),
    snapshot_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Keyword batches only: the batch_id' }),
    ),
  },
  { $id: 'BatchAccepted' },
);
export type BatchAccepted = Type.Static<typeof BatchAccepted>;

/** How many of a batch's answers say what; the words differ by type. Numbers of items. */
export const Summary = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { $id: 'Summary' });
export type Summary = Type.Static<typeof Summary>;

const answered = {
  request_id: Type.Integer(),
  state: Type.Literal('success'),
  credits: Type.Literal(1),
  checked_at: Timestamp,
};

/** One result of a batch: what was asked, and either the fields of the single answer or `error` and `message`. */
export const HttpStatusItem = Type.Interface(
  [HttpStatusAnswer],
  { url: Type.String(), ...answered },
  { $id: 'HttpStatusItem' },
);
export const IndexItem = Type.Interface(
  [IndexAnswer],
  { url: Type.String(), ...answered },
  { $id: 'IndexItem' },
);
export const RankItem = Type.Interface([RankQuery, RankAnswer], answered, { $id: 'RankItem' });
export const FailedItem = Type.Object(
  {
    request_id: Type.Integer(),
    state: Type.Literal('failed'),
    credits: Type.Literal(0),
    checked_at: Timestamp,
    error: Word(itemErrors),
    message: Type.String(),
  },
  { $id: 'FailedItem' },
);

/** A batch as the list shows it; with `results` it is the answer of GET /batch/{batch_id} (SPEC.md 2.5). */
export const Batch = Type.Object(
  {
    batch_id: Type.String({ format: 'uuid' }),
    type: Word(batchTypes),
    status: Word(batchStatuses),
    total: Type.Integer({ minimum: 1 }),
    processed: Type.Integer({ minimum: 0 }),
    successful: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    progress: Type.String({ pattern: '^\\d{1,3}%$' }),
    created_at: Timestamp,
    completed_at: Nullable(Timestamp),
    canceled_at: Nullable(Timestamp),
    reference: Nullable(Type.String()),
    webhook_url: Nullable(Type.String()),
    credits_charged: Type.Integer({ minimum: 0 }),
    credits_refunded: Type.Integer({ minimum: 0 }),
    results_expire_at: Nullable(Timestamp),
    retry_of: Nullable(Type.String({ format: 'uuid' })),
    retried_as: Nullable(Type.String({ format: 'uuid' })),
    summary: Summary,
  },
  { $id: 'Batch' },
);
export type Batch = Type.Static<typeof Batch>;
