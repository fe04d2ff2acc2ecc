import { checkTypeNames } from '../check-types.ts';
import { CreditsLowPayload } from '../credits.ts';
import {
  DeliveryList,
  DeliveryResent,
  DeliveryShown,
  deliveryStates,
  payloadSchemas,
  WebhookSecret,
  WebhookTested,
  WebhookTestRequest,
} from '../webhook.ts';
import { creditsLow } from './credit-examples.ts';
import * as examples from './examples.ts';
import { json, type Operation, type WebhookEvent } from './operation.ts';
import { batchId, paging, word } from './parameters.ts';

export const webhookOperations: Operation[] = [
  {
    id: 'getWebhookSecret',
    method: 'get',
    path: '/api/v1/webhooks/secret',
    tag: 'Webhooks',
    summary: 'Get the signing secret',
    description:
      'As Standard Webhooks has it: `whsec_` and base64. A test token gets the secret that webhooks of test tokens are ' +
      'signed with, and no other.',
    scope: 'manage',
    answers: { 200: json('The secret.', WebhookSecret, { secret: examples.webhookSecret }) },
  },
  {
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/api/v1/webhooks/secret/rotate',
    tag: 'Webhooks',
    unbilledRows: 1,
    summary: 'Replace the signing secret',
    isLiveOnly: true,
    description:
      'For 24 hours the one before signs beside the new one, so that receivers can change at any moment.',
    scope: 'manage',
    answers: {
      200: json('The new secret, and the one before.', WebhookSecret, { rotated: examples.rotatedSecret }, [
        'Idempotent-Replayed',
      ]),
    },
  },
  {
    id: 'testWebhook',
    method: 'post',
    path: '/api/v1/webhooks/test',
    tag: 'Webhooks',
    summary: 'Send signed samples to an address',
    description: 'One of each type, or of the type given, marked `test`; waits for the receiver.',
    body: {
      schema: WebhookTestRequest,
      examples: { all: { webhook_url: 'https://example.com/hooks/sonde' } },
    },
    answers: {
      200: json('What the receiver made of them.', WebhookTested, { delivered: examples.webhookTested }, [
        'Idempotent-Replayed',
      ]),
    },
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: '/api/v1/webhooks/deliveries',
    tag: 'Webhooks',
    summary: 'List deliveries',
    description: 'Newest first. Kept as long as results.',
    parameters: [word('state', deliveryStates, 'Only deliveries in this state.'), ...paging],
    answers: {
      200: json('A page of deliveries.', DeliveryList, { page: examples.listOf(examples.delivery) }, [
        'Link',
      ]),
    },
  },
  {
    id: 'getDelivery',
    method: 'get',
    path: '/api/v1/webhooks/deliveries/{batch_id}',
    tag: 'Webhooks',
    summary: 'Get a delivery with every attempt',
    description: 'First attempt first.',
    parameters: [batchId],
    answers: { 200: json('The delivery.', DeliveryShown, { shown: examples.deliveryShown }) },
  },
  {
    id: 'resendDelivery',
    method: 'post',
    path: '/api/v1/webhooks/deliveries/{batch_id}/resend',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    description:
      'Whatever became of it before, from the beginning of the schedule, with the same `webhook-id`.',
    parameters: [batchId],
    answers: {
      202: json('Resending now.', DeliveryResent, { resent: examples.deliveryResent }, [
        'Idempotent-Replayed',
      ]),
    },
  },
];

/** What is sent: for a batch that has ended, by its type, and for low credits. */
export const webhookEvents: WebhookEvent[] = [
  ...checkTypeNames.map((type) => ({
    id: `${type}BatchCompleted`,
    summary: `A batch of type ${type} has ended`,
    sentTo: 'of the batch',
    schema: payloadSchemas[type],
    example: examples.payloadOf(type),
  })),
  {
    id: 'creditsLow',
    summary: 'Credits run low',
    sentTo: 'of the alert (`PATCH /credits/alert`)',
    schema: CreditsLowPayload,
    example: creditsLow,
  },
];
