import type { JobWithMetadata } from 'pg-boss';
import type { DeliveryPayload } from '../../db/queue/queue.ts';
import { attemptDelivery } from '../../webhooks/attempt.ts';
import { postponeAttempt } from '../../webhooks/schedule.ts';
import type { WorkerContext } from '../context.ts';

/** Slots for deliveries. An account with many slow receivers must leave slots for other accounts. */
export const deliverySlots = { total: 240, perAccount: 12, reserved: 48 };
/**
 * Maximum number of concurrent deliveries of an account to one host. A slow host must leave slots for the account's
 * other hosts.
 */
export const deliveriesPerHost = 4;
const postponedSecondsMin = 2;

/** Reschedules a delivery whose account has no free slot. */
export function postponeDelivery(
  context: WorkerContext,
  job: JobWithMetadata<DeliveryPayload>,
): Promise<void> {
  const { account_id: accountId, event_id: eventId } = job.data;
  return postponeAttempt(context, { accountId, eventId, jobId: job.id }, postponedSecondsMin);
}

/** Makes one attempt at a delivery. If this throws, the job is retried. */
export async function deliverWebhook(
  context: WorkerContext,
  job: JobWithMetadata<DeliveryPayload>,
): Promise<void> {
  const { config, policy, resolver, halting: signal } = context;
  const deps = {
    ...context,
    sender: { policy, resolver, userAgent: config.checks.userAgent, signal },
    payload: { baseUrl: config.web.baseUrl, retentionDays: config.retention.days },
    isInDoubt: () => context.http.isInDoubt(),
    onPosted: () => context.failPoint('after_delivery'),
  };
  const ref = { accountId: job.data.account_id, eventId: job.data.event_id };
  await attemptDelivery(deps, ref, job.id);
}
