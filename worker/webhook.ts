import { Webhook } from 'standardwebhooks';
import type { BatchRow } from '../db/batches.ts';
import { batchBody, itemBody } from '../db/bodies.ts';
import type { ItemRow } from '../db/items.ts';

/** Results stand in the payload up to these limits; many receivers refuse bodies over 100 kB. */
export const inlineResultsMax = 100;
const inlineBytesMax = 64 * 1024;

interface PayloadOptions {
  baseUrl: string;
  retentionDays: number;
  /** All items of the batch, or null when there are too many to send along. */
  items: ItemRow[] | null;
}

/** The JSON text a receiver gets when a batch has ended (DESIGN.md section 9). The same for every attempt. */
export function payloadOf(batch: BatchRow, { baseUrl, retentionDays, items }: PayloadOptions): string {
  const { batch_id, type, reference, status, total, processed, successful, failed, summary, ...rest } =
    batchBody(batch, retentionDays);
  const head = {
    event: 'batch.completed',
    type,
    batch_id,
    reference,
    status,
    total,
    processed,
    successful,
    failed,
    credits_charged: rest.credits_charged,
    credits_refunded: rest.credits_refunded,
    created_at: rest.created_at,
    completed_at: rest.completed_at,
    summary,
    results_url: `${baseUrl}/api/v1/batch/${batch_id}`,
  };
  const whole = JSON.stringify({ ...head, results: items?.map(itemBody) ?? null });
  if (Buffer.byteLength(whole) <= inlineBytesMax) return whole;
  return JSON.stringify({ ...head, results: null });
}

/**
 * The headers that prove where a payload comes from (Standard Webhooks 1.0). One signature for each secret, so that a
 * receiver may change its secret at any moment within a rotation.
 */
export function signedHeaders(
  batchId: string,
  payload: string,
  secrets: string[],
  now: Date,
): Record<string, string> {
  const id = `msg_${batchId}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' '),
  };
}
