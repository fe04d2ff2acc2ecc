import type { BatchRow } from '../db/batches/batches.ts';
import type { ItemRow } from '../db/batches/items.ts';
import { batchFields } from '../schemas/webhook.ts';
import { batchBody, itemBody } from '../wire/bodies.ts';

/**
 * Maximum number of results in a payload. `inlineBytesMax` is the maximum size of a payload with results, because many
 * receivers refuse bodies over 100 kB.
 */
export const inlineResultsMax = 100;
const inlineBytesMax = 64 * 1024;

export interface PayloadOptions {
  baseUrl: string;
  retentionDays: number;
  /** All items of the batch; null if they are too many to include, or no longer stored. */
  items: ItemRow[] | null;
}

/** Returns the JSON payload of the webhook of an ended batch. */
export function toPayload(batch: BatchRow, options: PayloadOptions): string {
  const { items } = options;
  const head = toCommonFields(batch, options);
  const whole = JSON.stringify({ ...head, results: items?.map((item) => itemBody(item, batch)) ?? null });
  if (Buffer.byteLength(whole) <= inlineBytesMax) return whole;
  return JSON.stringify({ ...head, results: null });
}

function toCommonFields(batch: BatchRow, { baseUrl, retentionDays }: PayloadOptions) {
  const body = batchBody(batch, retentionDays);
  return {
    event: 'batch.completed',
    type: body.type,
    ...Object.fromEntries(batchFields.map((name) => [name, body[name]])),
    summary: body.summary,
    results_url: `${baseUrl}/api/v1/batch/${body.batch_id}`,
    ...(batch.isTest ? { test: true } : {}),
  };
}
