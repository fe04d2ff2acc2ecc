import Type from 'typebox';
import { checkTypeNames } from './check-types.ts';
import {
  BatchId,
  CreditsRemaining,
  Nullable,
  ObjectSchema,
  StringEnum,
  SubmissionId,
  Timestamp,
  Warnings,
} from './common.ts';
import { itemErrors } from './failures.ts';

export const batchStatuses = ['pending', 'processing', 'completed', 'partial', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** The 202 response of every bulk endpoint. */
export const BatchAccepted = ObjectSchema('BatchAccepted', {
  success: Type.Literal(true),
  message: Type.String({ description: 'Text for people' }),
  batch_id: BatchId,
  total: Type.Integer({ minimum: 1, description: 'Entries in the batch, including skipped entries' }),
  status: StringEnum(batchStatuses),
  poll_url: Type.String({
    format: 'uri',
    description: 'URL of the batch. Poll this URL every few seconds, or set `webhook_url`',
  }),
  credits_remaining: CreditsRemaining,
  duplicates: Type.Integer({
    minimum: 0,
    description: 'Entries that repeat an earlier entry. With `dedupe`, they are not part of the batch',
  }),
  reference: Nullable(Type.String()),
  submission_id: Type.Optional(SubmissionId),
  retry_of: Type.Optional({ ...BatchId, description: 'The batch whose failed items are retried' }),
  again_of: Type.Optional({ ...BatchId, description: 'The batch whose inputs are checked again' }),
  is_test: Type.Optional(Type.Literal(true, { description: 'Submitted with a test token' })),
  snapshot_id: Type.Optional({ ...BatchId, description: 'Same as `batch_id`. Only in keyword batches' }),
  warnings: Type.Optional(Warnings),
});
export type BatchAccepted = Type.Static<typeof BatchAccepted>;

/** Counts of items by result. The keys depend on the type (results.ts). */
export const Summary = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { $id: 'Summary' });

/** A batch in lists. GET /batch/{batch_id} adds `results` (results.ts). */
export const Batch = ObjectSchema('Batch', {
  batch_id: BatchId,
  type: StringEnum(checkTypeNames),
  status: StringEnum(batchStatuses, {
    description:
      'After the end: `completed` if all items have an answer, `partial` if some have an answer, `failed` if none has an answer',
  }),
  total: Type.Integer({ minimum: 1, description: 'Items submitted' }),
  processed: Type.Integer({ minimum: 0, description: 'Items with an outcome so far' }),
  successful: Type.Integer({
    minimum: 0,
    description: 'Items with an answer, which may be a 404, not indexed or not ranked',
  }),
  failed: Type.Integer({ minimum: 0, description: 'Items without an answer. Their credits are refunded' }),
  progress: Type.String({ pattern: '^\\d{1,3}%$', examples: ['45%'] }),
  created_at: Timestamp,
  completed_at: Nullable(Timestamp, 'Null until every item has an outcome'),
  canceled_at: Nullable(Timestamp),
  waiting: Type.Optional(
    Type.Object(
      {
        reason: StringEnum(itemErrors, {
          description: 'Error that these checks get if the problem persists',
        }),
        until: { ...Timestamp, description: 'The waiting checks are retried at this time or earlier' },
      },
      { description: 'Present while checks wait for a search provider to recover' },
    ),
  ),
  reference: Nullable(Type.String()),
  name: Nullable(Type.String(), 'Display name; null until it is set'),
  webhook_url: Nullable(Type.String()),
  credits_charged: Type.Integer({ minimum: 0 }),
  credits_refunded: Type.Integer({ minimum: 0 }),
  results_expire_at: Nullable(Timestamp, 'Null until the batch has ended'),
  submission_id: Nullable(SubmissionId, 'The submission that contains the batch; null without a submission'),
  retry_of: Nullable(BatchId, 'The batch whose failed items are retried here'),
  retried_as: Nullable(BatchId, 'The batch that retries the failed items of this batch'),
  again_of: Nullable(BatchId, 'The batch whose inputs are checked again here'),
  monitor_id: Nullable(BatchId, 'The monitor that started the batch; null if it was submitted'),
  run_id: Nullable(BatchId, 'The monitor run that started the batch'),
  is_test: Type.Boolean({
    description: 'True if a test token submitted the batch. Answers are simulated, and nothing is charged',
  }),
  summary: Summary,
});
export type Batch = Type.Static<typeof Batch>;
