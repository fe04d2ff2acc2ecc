import Type from 'typebox';
import { Batch } from './batch.ts';
import { type CheckType, checkTypeNames } from './check-types.ts';
import { ListOf } from './list.ts';
import { resultSchemas } from './results.ts';
import { Nullable, Timestamp, Warnings, WebhookUrl, Word } from './text.ts';

const { batch_id, reference, status, total, processed, successful, failed } = Batch.properties;
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
  results_url: Type.String({ description: 'Where the batch and its results are read' }),
  test: Type.Optional(
    Type.Literal(true, {
      description: 'Sent by POST /webhooks/test, or of a batch of a test token; nothing of it is real',
    }),
  ),
};

/**
 * What a receiver is sent when a batch has ended, by its type. `results` are all items when there are at most
 * 100 of them in 64 KiB, else null: read them at `results_url` then.
 */
export const payloadSchemas = Object.fromEntries(
  checkTypeNames.map((type) => [type, payloadOf(type)]),
) as Record<CheckType, ReturnType<typeof payloadOf>>;

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

/**
 * A webhook owed for a batch or another event. `ended_at` is null and `next_attempt_at` is not exactly while it is
 * pending.
 */
export const Delivery = Type.Object(
  {
    batch_id: Nullable(batch_id, 'Null for an event that is not the end of a batch'),
    event: Type.String({ description: 'What happened', examples: ['batch.completed', 'monitor.changed'] }),
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

/** GET /webhooks/deliveries. */
export const DeliveryList = ListOf(Delivery, 'DeliveryList');

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
  { success: Type.Literal(true), attempts: Type.Array(Attempt), warnings: Type.Optional(Warnings) },
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
    /** Null when it can no longer be read, since the service's own key was lost; a rotation makes a new one. */
    secret: Nullable(Type.String({ pattern: '^whsec_' })),
    previous_secret: Nullable(Type.String({ pattern: '^whsec_' })),
    previous_expires_at: Nullable(Timestamp),
  },
  { $id: 'WebhookSecret' },
);
export type WebhookSecret = Type.Static<typeof WebhookSecret>;

/** POST /webhooks/test: which samples to send where; all three without a type. */
export const WebhookTestRequest = Type.Object(
  { webhook_url: WebhookUrl, type: Type.Optional(Word(checkTypeNames)) },
  { $id: 'WebhookTestRequest' },
);

/** What the receiver made of each sample. */
export const WebhookTested = Type.Object(
  {
    success: Type.Literal(true),
    deliveries: Type.Array(
      Type.Object({
        type: Word(checkTypeNames),
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

function payloadOf(type: CheckType) {
  const { name, answeredItem, failedItem, Summary } = resultSchemas[type];
  const results = Nullable(
    Type.Array(Type.Union([answeredItem, failedItem])),
    'In the order of submission; null when there are too many to send along',
  );
  return Type.Object(
    { ...payload, type: Type.Literal(type), summary: Summary, results },
    { $id: `${name}Payload` },
  );
}
