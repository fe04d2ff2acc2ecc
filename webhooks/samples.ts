import { randomUUID } from 'node:crypto';
import type { BatchRow } from '../db/batches/batches.ts';
import type { ItemRow } from '../db/batches/items.ts';
import { type CheckType, checkTypes, getExample } from '../schemas/check-types.ts';
import { monitorWebhookEvents } from '../schemas/operations/monitor-events.ts';
import { webhookEvents } from '../schemas/operations/webhooks.ts';
import type { WebhookEventName } from '../schemas/webhook.ts';
import { toPayload } from './payload.ts';
import type { WebhookMessage } from './post.ts';

export interface SampleOptions {
  baseUrl: string;
  retentionDays: number;
  secrets: string[];
}

/** A sample to send: of an ended batch of a type, or of another event. */
export type Sample =
  | { event: 'batch.completed'; type: CheckType }
  | { event: Exclude<WebhookEventName, 'batch.completed'>; type: null };

/** Creates a message as the event would send it, with sample contents and `test: true`. */
export function createSampleMessage({ event, type }: Sample, options: SampleOptions): WebhookMessage {
  const eventId = randomUUID();
  const payload =
    event === 'batch.completed'
      ? createBatchPayload(type, eventId, options)
      : createEventPayload(event, options);
  return {
    id: `msg_test_${eventId}`,
    payload: JSON.stringify({ ...JSON.parse(payload), test: true }),
    secrets: options.secrets,
  };
}

function createBatchPayload(
  type: CheckType,
  batchId: string,
  { baseUrl, retentionDays }: SampleOptions,
): string {
  const now = new Date();
  const items = [createSuccessfulItem(type, batchId, now), createFailedItem(type, batchId, now)];
  return toPayload(createSampleBatch(type, batchId, now), { baseUrl, retentionDays, items });
}

/** Returns the example of the OpenAPI document, with URLs of this service. */
function createEventPayload(event: WebhookEventName, { baseUrl }: SampleOptions): string {
  const examples = [...monitorWebhookEvents, ...webhookEvents].map(({ example }) => example);
  const example = examples.find((one) => (one as { event?: unknown }).event === event);
  return JSON.stringify(example).replaceAll('https://sonde.example.com', baseUrl);
}

function createSampleBatch(type: CheckType, batchId: string, now: Date): BatchRow {
  return {
    accountId: 0,
    batchId,
    type,
    status: 'partial',
    firstRequestId: 0,
    total: 2,
    skipped: 0,
    successful: 1,
    failed: 1,
    overviews: 0,
    overviewsRefunded: 0,
    duplicates: 0,
    options: {},
    summary: Object.fromEntries(getExample(type).tally.map((word) => [word, 1])),
    reference: 'a test from Sonde',
    webhookUrl: null,
    submissionId: null,
    retryOf: null,
    retriedAs: null,
    isTest: false,
    monitorId: null,
    runId: null,
    againOf: null,
    name: null,
    createdAt: now,
    startedAt: now,
    completedAt: now,
    canceledAt: null,
    waitingReason: null,
    waitingUntil: null,
    purgedAt: null,
  };
}

function createSuccessfulItem(type: CheckType, batchId: string, checkedAt: Date): ItemRow {
  const { input, answer } = getExample(type);
  const outcome = { state: 'success', input, outcome: answer, error: null };
  return { requestId: 1, batchId, position: 0, type, checkedAt, ...outcome } as ItemRow;
}

function createFailedItem(type: CheckType, batchId: string, checkedAt: Date): ItemRow {
  const { input } = getExample(type);
  const outcome = { state: 'failed', input, outcome: null, error: checkTypes[type].exampleError };
  return { requestId: 2, batchId, position: 1, type, checkedAt, ...outcome } as ItemRow;
}
