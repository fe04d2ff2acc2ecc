import Type from 'typebox';
import { checkTypeNames } from './check-types.ts';
import { itemErrors } from './failures.ts';
import { BatchId, CreditsRemaining, Nullable, SubmissionId, Timestamp, Warnings, Word } from './text.ts';

export const batchStatuses = ['pending', 'processing', 'completed', 'partial', 'failed'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** The 202 of every bulk endpoint. `duplicates` counts entries equal to an earlier one. */
export const BatchAccepted = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String({ description: 'For people' }),
    batch_id: BatchId,
    total: Type.Integer({ minimum: 1, description: 'Entries in the batch, skipped ones included' }),
    status: Word(batchStatuses),
    poll_url: Type.String({
      format: 'uri',
      description: 'The batch; ask every few seconds, or give a webhook_url',
    }),
    credits_remaining: CreditsRemaining,
    duplicates: Type.Integer({
      minimum: 0,
      description: 'Entries equal to an earlier one; with `dedupe` they are left out',
    }),
    reference: Nullable(Type.String()),
    submission_id: Type.Optional(SubmissionId),
    retry_of: Type.Optional({ ...BatchId, description: 'The batch whose failed items these are' }),
    again_of: Type.Optional({ ...BatchId, description: 'The batch whose inputs these are' }),
    is_test: Type.Optional(Type.Literal(true, { description: 'A test token asked for it' })),
    snapshot_id: Type.Optional({ ...BatchId, description: 'Keyword batches only: the batch_id' }),
    warnings: Type.Optional(Warnings),
  },
  { $id: 'BatchAccepted' },
);
export type BatchAccepted = Type.Static<typeof BatchAccepted>;

/** How many of a batch's items came to what; the words differ by type (results.ts). */
export const Summary = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { $id: 'Summary' });
export type Summary = Type.Static<typeof Summary>;

/** A batch as the list shows it; with `results` it is the answer of GET /batch/{batch_id} (results.ts). */
export const Batch = Type.Object(
  {
    batch_id: BatchId,
    type: Word(checkTypeNames),
    status: Word(batchStatuses, {
      description: 'In the end `completed` if every item got an answer, `failed` if none did, else `partial`',
    }),
    total: Type.Integer({ minimum: 1, description: 'Items submitted' }),
    processed: Type.Integer({ minimum: 0, description: 'Items with an outcome so far' }),
    successful: Type.Integer({ minimum: 0, description: 'Items with an answer, good or bad' }),
    failed: Type.Integer({ minimum: 0, description: 'Items without an answer; their credits are back' }),
    progress: Type.String({ pattern: '^\\d{1,3}%$', examples: ['45%'] }),
    created_at: Timestamp,
    completed_at: Nullable(Timestamp, 'Null until every item has an outcome'),
    canceled_at: Nullable(Timestamp),
    waiting: Type.Optional(
      Type.Object(
        {
          reason: Word(itemErrors, { description: 'What these checks fail with if it does not pass' }),
          until: { ...Timestamp, description: 'When those that wait longest are tried again, at the latest' },
        },
        { description: 'Present while checks wait for a search provider to answer again' },
      ),
    ),
    reference: Nullable(Type.String()),
    name: Nullable(Type.String(), 'What people call it; null until somebody names it'),
    webhook_url: Nullable(Type.String()),
    credits_charged: Type.Integer({ minimum: 0 }),
    credits_refunded: Type.Integer({ minimum: 0 }),
    results_expire_at: Nullable(Timestamp, 'Null until the batch has ended'),
    submission_id: Nullable(SubmissionId, 'What this batch is a part of; null for one of its own'),
    retry_of: Nullable(BatchId, 'The batch whose failed items these were'),
    retried_as: Nullable(BatchId, 'The batch that tries the failed items again'),
    again_of: Nullable(BatchId, 'The batch whose inputs, or some of them, were checked again'),
    monitor_id: Nullable(BatchId, 'The monitor whose run it is of; null for one that was submitted'),
    run_id: Nullable(BatchId, 'The run of that monitor'),
    is_test: Type.Boolean({
      description: 'A test token asked for it: its answers are invented, and nothing is charged',
    }),
    summary: Summary,
  },
  { $id: 'Batch' },
);
export type Batch = Type.Static<typeof Batch>;
