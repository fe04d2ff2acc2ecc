import Type from 'typebox';
import { Batch } from './batch.ts';
import { type CheckType, checkTypeNames } from './check-types.ts';
import {
  InterfaceSchema,
  Nullable,
  ObjectSchema,
  StringEnum,
  Timestamp,
  Warnings,
  WebhookUrl,
} from './common.ts';
import { ListSchema } from './list.ts';
import { type MonitorEvent, monitorEvents } from './monitor-event.ts';
import { resultSchemas } from './results.ts';

/** Fields of a batch in its webhook. */
export const batchFields = [
  ...(['batch_id', 'reference', 'status', 'total', 'processed', 'successful', 'failed'] as const),
  ...(['credits_charged', 'credits_refunded', 'created_at', 'completed_at'] as const),
];

const payload = {
  event: Type.Literal('batch.completed'),
  ...Object.fromEntries(batchFields.map((name) => [name, Batch.properties[name]])),
  results_url: Type.String({ description: 'URL of the batch with its results' }),
  test: Type.Optional(
    Type.Literal(true, {
      description: 'Simulated data from POST /webhooks/test or for a test token',
    }),
  ),
};

/** Webhook payloads of ended batches, by type. `results` is null if there are more than 100 items or 64 KiB. */
export const payloadSchemas = Object.fromEntries(
  checkTypeNames.map((type) => [type, createPayloadSchema(type)]),
) as Record<CheckType, ReturnType<typeof createPayloadSchema>>;

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
/** A delivery fails after ten attempts, or if the receiver answers 410. */
export type DeliveryState = (typeof deliveryStates)[number];

/** The delivery of an event. A pending delivery has `next_attempt_at`. An ended delivery has `ended_at`. */
export const Delivery = ObjectSchema('Delivery', {
  batch_id: Nullable(Batch.properties.batch_id, 'Null if the event is not the end of a batch'),
  event: Type.String({
    description: 'Type of the event',
    examples: ['batch.completed', 'monitor.changed'],
  }),
  message_id: Type.String({ description: 'The webhook-id header of every attempt' }),
  url: Type.String(),
  state: StringEnum(deliveryStates),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Timestamp),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
});
export type Delivery = Type.Static<typeof Delivery>;

export const DeliveryList = ListSchema(Delivery, 'DeliveryList');

/** An attempt of a delivery. If there was no HTTP response, `status` is null, and `error` is the reason. */
export const Attempt = ObjectSchema('Attempt', {
  attempt: Type.Integer({ minimum: 1 }),
  attempted_at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
  status: Nullable(Type.Integer({ minimum: 100, maximum: 999 })),
  error: Nullable(Type.String({ examples: ['response_timeout'] })),
});
export type Attempt = Type.Static<typeof Attempt>;

/** GET /webhooks/deliveries/{batch_id}. Attempts are in chronological order. */
export const DeliveryResponse = InterfaceSchema('DeliveryResponse', [Delivery], {
  success: Type.Literal(true),
  attempts: Type.Array(Attempt),
  warnings: Type.Optional(Warnings),
});

export const DeliveryResendResponse = InterfaceSchema('DeliveryResendResponse', [Delivery], {
  success: Type.Literal(true),
  message: Type.String(),
});

/** The signing secret. For 24 hours after a rotation, the previous secret is also used. */
export const WebhookSecret = ObjectSchema('WebhookSecret', {
  success: Type.Literal(true),
  /** Null if the secret cannot be decrypted, because SECRET_KEY was lost. A rotation creates a new secret. */
  secret: Nullable(Type.String({ pattern: '^whsec_' })),
  previous_secret: Nullable(Type.String({ pattern: '^whsec_' })),
  previous_expires_at: Nullable(Timestamp),
});
export type WebhookSecret = Type.Static<typeof WebhookSecret>;

export const webhookEventNames = [
  'batch.completed',
  ...(Object.keys(monitorEvents) as MonitorEvent[]),
  'credits.low',
] as const;
export type WebhookEventName = (typeof webhookEventNames)[number];

/**
 * POST /webhooks/test. Sends a sample of `event`. For `batch.completed`, sends one sample per check type, or only the
 * sample of `type`.
 */
export const WebhookTestRequest = ObjectSchema('WebhookTestRequest', {
  webhook_url: WebhookUrl,
  event: Type.Optional(
    StringEnum(webhookEventNames, {
      description: 'Sends a sample of this event. Default: `batch.completed`',
    }),
  ),
  type: Type.Optional(
    StringEnum(checkTypeNames, {
      description: 'Sends only the sample of this type. Only for `batch.completed`',
    }),
  ),
});

export const WebhookTestResponse = ObjectSchema('WebhookTestResponse', {
  success: Type.Literal(true),
  deliveries: Type.Array(
    Type.Object({
      event: StringEnum(webhookEventNames),
      type: Nullable(StringEnum(checkTypeNames), 'Null for other events than `batch.completed`'),
      message_id: Type.String(),
      delivered: Type.Boolean({ description: 'Whether the response was a 2xx' }),
      status: Attempt.properties.status,
      error: Attempt.properties.error,
      duration_ms: Attempt.properties.duration_ms,
    }),
  ),
});
export type WebhookTestResponse = Type.Static<typeof WebhookTestResponse>;

function createPayloadSchema(type: CheckType) {
  const { name, answeredItem, failedItem, Summary } = resultSchemas[type];
  const results = Nullable(
    Type.Array(Type.Union([answeredItem, failedItem])),
    'In the order of submission; null if there are more than 100 results, or more than 64 KiB',
  );
  return ObjectSchema(`${name}Payload`, { ...payload, type: Type.Literal(type), summary: Summary, results });
}
