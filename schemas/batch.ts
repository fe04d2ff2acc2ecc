import Type from 'typebox';
import { checkTypeNames } from './check-types.ts';
import {
  BatchId,
  CreditsRemaining,
  Nullable,
  StringEnum,
  SubmissionId,
  Timestamp,
  Warnings,
} from './common.ts';
import { itemErrors } from './failures.ts';

export const batchStatuses = ['pending', 'processing', 'completed', 'partial', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** The 202 response of every bulk endpoint. */
export const BatchAccepted = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String({ description: 'Text for people' }),
    batch_id: BatchId,
    total: Type.Integer({ minimum: 1, description: 'Entries in the batch, skipped ones included' }),
    status: StringEnum(batchStatuses),
    poll_url: Type.String({
      format: 'uri',
      description: 'URL of the batch. Poll it every few seconds, or set `webhook_url`',
    }),
    credits_remaining: CreditsRemaining,
    duplicates: Type.Integer({
      minimum: 0,
      description: 'Entries equal to an earlier one; `dedupe` removes them',
    }),
    reference: Nullable(Type.String()),
    submission_id: Type.Optional(SubmissionId),
    retry_of: Type.Optional({ ...BatchId, description: 'The batch whose failed items are retried' }),
    again_of: Type.Optional({ ...BatchId, description: 'The batch whose inputs are checked again' }),
    is_test: Type.Optional(Type.Literal(true, { description: 'Submitted with a test token' })),
    snapshot_id: Type.Optional({ ...BatchId, description: 'Keyword batches only: same as `batch_id`' }),
    warnings: Type.Optional(Warnings),
  },
  { $id: 'BatchAccepted' },
);
export type BatchAccepted = Type.Static<typeof BatchAccepted>;

/** Counts of items by result. The keys depend on the type (results.ts). */
export const Summary = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { $id: 'Summary' });
export type Summary = Type.Static<typeof Summary>;

/** A batch in lists. GET /batch/{batch_id} adds `results` (results.ts). */
export const Batch = Type.Object(
  {
    batch_id: BatchId,
    type: StringEnum(checkTypeNames),
    status: StringEnum(batchStatuses, {
      description:
        'Final states: `completed` if every item has an answer, `failed` if none has, otherwise `partial`',
    }),
    total: Type.Integer({ minimum: 1, description: 'Items submitted' }),
    processed: Type.Integer({ minimum: 0, description: 'Items with an outcome so far' }),
    successful: Type.Integer({ minimum: 0, description: 'Items with an answer, good or bad' }),
    failed: Type.Integer({ minimum: 0, description: 'Items without an answer; their credits are refunded' }),
    progress: Type.String({ pattern: '^\\d{1,3}%$', examples: ['45%'] }),
    created_at: Timestamp,
    completed_at: Nullable(Timestamp, 'Null until every item has an outcome'),
    canceled_at: Nullable(Timestamp),
    waiting: Type.Optional(
      Type.Object(
        {
          reason: StringEnum(itemErrors, {
            description: 'The error of these checks if the problem persists',
          }),
          until: { ...Timestamp, description: 'Latest time at which the waiting checks are retried' },
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
    submission_id: Nullable(SubmissionId, 'The submission that it is part of; null if it is alone'),
    retry_of: Nullable(BatchId, 'The batch whose failed items it retries'),
    retried_as: Nullable(BatchId, 'The batch that retries its failed items'),
    again_of: Nullable(BatchId, 'The batch whose inputs, or some of them, it checks again'),
    monitor_id: Nullable(BatchId, 'The monitor that started it; null if it was submitted'),
    run_id: Nullable(BatchId, 'The monitor run that started it'),
    is_test: Type.Boolean({
      description: 'Submitted with a test token: answers are simulated, and nothing is charged',
    }),
    summary: Summary,
  },
  { $id: 'Batch' },
);
export type Batch = Type.Static<typeof Batch>;
