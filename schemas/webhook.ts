import Type from 'typebox';
import { Batch, batchTypes, FailedItem, HttpStatusItem, IndexItem, RankItem } from './batch.ts';
import { Nullable, Timestamp, WebhookUrl, Word } from './text.ts';

const { batch_id, reference, status, total, processed, successful, failed, summary } = Batch.properties;
const { credits_charged, credits_refunded, created_at, completed_at } = Batch.properties;

const payload = {
  event: Type.Literal('batch.completed'),
  batch_id,
  reference,
  status,
  total,
  processed,
  successful,
  failed,
  credits_charged,
  credits_refunded,
  created_at,
  completed_at,
  summary,
  results_url: Type.String({ description: 'Where the batch and its results are read' }),
  test: Type.Optional(
    Type.Literal(true, { description: 'Sent by POST /webhooks/test; nothing of it is real' }),
  ),
};

/**
 * The three bodies a receiver is sent when a batch has ended (SPEC.md section 6). `results` are all items when there are
 * at most 100 of them in 64 KiB, else null: read them at `results_url` then.
 */
export const IndexPayload = payloadWith('index', IndexItem);
export const HttpStatusPayload = payloadWith('http', HttpStatusItem);
export const RankPayload = payloadWith('keyword', RankItem);

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

/** A webhook owed for a batch. `ended_at` is null and `next_attempt_at` is not exactly while it is pending. */
export const Delivery = Type.Object(
  {
    batch_id,
    message_id: Type.String({ description: 'The webhook-id header of every attempt' }),
    url: Type.String(),
    state: Word(deliveryStates),
    attempt_count: Type.Integer({ minimum: 0 }),
    next_attempt_at: Nullable(Timestamp),
    created_at: Timestamp,
    ended_at: Nullable(Timestamp),
  },
  { $id: 'Delivery' },
);
export type Delivery = Type.Static<typeof Delivery>;

/** One try at a delivery. `status` is null exactly when no HTTP answer came, and `error` then says why. */
export const Attempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1 }),
    attempted_at: Timestamp,
    duration_ms: Type.Integer({ minimum: 0 }),
    status: Nullable(Type.Integer({ minimum: 100, maximum: 999 })),
    error: Nullable(Type.String({ examples: ['response_timeout'] })),
  },
  { $id: 'Attempt' },
);
export type Attempt = Type.Static<typeof Attempt>;

/** GET /webhooks/deliveries/{batch_id}: attempts in order, first to last. */
export const DeliveryShown = Type.Interface(
  [Delivery],
  { success: Type.Literal(true), attempts: Type.Array(Attempt) },
  { $id: 'DeliveryShown' },
);

/** POST /webhooks/deliveries/{batch_id}/resend. */
export const DeliveryResent = Type.Interface(
  [Delivery],
  { success: Type.Literal(true), message: Type.String() },
  { $id: 'DeliveryResent' },
);

/** The signing secret; after a rotation the one before signs beside it for 24 hours. */
export const WebhookSecret = Type.Object(
  {
    success: Type.Literal(true),
    secret: Type.String({ pattern: '^whsec_' }),
    previous_secret: Nullable(Type.String({ pattern: '^whsec_' })),
    previous_expires_at: Nullable(Timestamp),
  },
  { $id: 'WebhookSecret' },
);
export type WebhookSecret = Type.Static<typeof WebhookSecret>;

/** POST /webhooks/test: which samples to send where; all three without a type. */
export const WebhookTestRequest = Type.Object(
  { webhook_url: WebhookUrl, type: Type.Optional(Word(batchTypes)) },
  { $id: 'WebhookTestRequest' },
);

/** What the receiver made of each sample. */
export const WebhookTested = Type.Object(
  {
    success: Type.Literal(true),
    deliveries: Type.Array(
      Type.Object({
        type: Word(batchTypes),
        message_id: Type.String(),
        delivered: Type.Boolean({ description: 'Whether the answer was a 2xx' }),
        status: Attempt.properties.status,
        error: Attempt.properties.error,
        duration_ms: Attempt.properties.duration_ms,
      }),
    ),
  },
  { $id: 'WebhookTested' },
);
export type WebhookTested = Type.Static<typeof WebhookTested>;

function payloadWith<T extends Type.TSchema>(type: (typeof batchTypes)[number], item: T) {
  const results = Nullable(Type.Array(Type.Union([item, FailedItem])));
  return Type.Object({ ...payload, type: Type.Literal(type), results }, { $id: `${type}Payload` });
}
