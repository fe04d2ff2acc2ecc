import { checkTypeNames } from '../check-types.ts';
import { CreditsLowPayload } from '../credits.ts';
import {
  DeliveryList,
  DeliveryResendResponse,
  DeliveryResponse,
  deliveryStates,
  payloadSchemas,
  WebhookSecret,
  WebhookTestRequest,
  WebhookTestResponse,
} from '../webhook.ts';
import * as examples from './examples.ts';
import { creditsLow } from './examples.ts';
import { jsonResponse, listResponse, type WebhookEvent, withTag } from './operation.ts';
import { enumParameter, paging } from './parameters.ts';

export const webhookOperations = withTag('Webhooks', [
  {
    id: 'getWebhookSecret',
    method: 'get',
    path: '/api/v1/webhooks/secret',
    summary: 'Get the signing secret',
    description:
      'In the format of Standard Webhooks: `whsec_` and base64. For a test token, returns the secret that signs the ' +
      'webhooks of test tokens.',
    scope: 'manage',
    answers: jsonResponse('The secret.', WebhookSecret, { secret: examples.webhookSecret }),
  },
  {
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/api/v1/webhooks/secret/rotate',
    unbilledRows: 1,
    summary: 'Rotate the signing secret',
    isLiveOnly: true,
    description: 'For 24 hours, webhooks are signed with the new and the previous secret.',
    scope: 'manage',
    answers: jsonResponse('The new and the previous secret.', WebhookSecret, {
      rotated: examples.rotatedSecret,
    }),
  },
  {
    id: 'testWebhook',
    method: 'post',
    path: '/api/v1/webhooks/test',
    summary: 'Send signed samples to a URL',
    description:
      'Sends samples with `test: true` to `webhook_url`, and waits for the responses. Default: one `batch.completed` sample ' +
      'per check type. Set `type` for only one check type, or `event` for another event.',
    body: {
      schema: WebhookTestRequest,
      examples: {
        all: { webhook_url: 'https://example.com/hooks/sonde' },
        'of a monitor': { webhook_url: 'https://example.com/hooks/sonde', event: 'monitor.changed' },
      },
    },
    answers: jsonResponse('The responses of the receiver.', WebhookTestResponse, {
      delivered: examples.webhookTestResponse,
    }),
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: '/api/v1/webhooks/deliveries',
    summary: 'List deliveries',
    description: 'Newest first. Deliveries are stored for as long as results.',
    parameters: [enumParameter('state', deliveryStates, 'Only deliveries in this state.'), ...paging],
    answers: listResponse('A page of deliveries.', DeliveryList, examples.delivery),
  },
  {
    id: 'getDelivery',
    method: 'get',
    path: '/api/v1/webhooks/deliveries/{batch_id}',
    summary: 'Get a delivery with its attempts',
    description: 'Attempts are in chronological order. A `message_id` can replace the `batch_id`.',
    answers: jsonResponse('The delivery.', DeliveryResponse, { shown: examples.deliveryResponse }),
  },
  {
    id: 'resendDelivery',
    method: 'post',
    path: '/api/v1/webhooks/deliveries/{batch_id}/resend',
    summary: 'Resend a delivery',
    description:
      'Works in any state. Restarts the retry schedule and keeps the `webhook-id`. A `message_id` can replace the ' +
      '`batch_id`.',
    answers: jsonResponse(
      'Resending now.',
      DeliveryResendResponse,
      {
        resent: examples.deliveryResendResponse,
      },
      { status: 202 },
    ),
  },
]);

/** Webhooks for ended batches, by type, and for low credits. */
export const webhookEvents: WebhookEvent[] = [
  ...checkTypeNames.map((type) => ({
    id: `${type}BatchCompleted`,
    summary: `A batch of type ${type} has ended`,
    sentTo: 'of the batch',
    schema: payloadSchemas[type],
    example: examples.createPayload(type),
  })),
  {
    id: 'creditsLow',
    summary: 'The balance fell below the threshold of the alert',
    sentTo: 'of the alert (`PATCH /credits/alert`)',
    schema: CreditsLowPayload,
    example: creditsLow,
  },
];
