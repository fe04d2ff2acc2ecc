import type { JobWithMetadata } from 'pg-boss';
import { CheckSlots } from '../../checks/http/slots.ts';
import { perform } from '../../db/act.ts';
import * as deliveries from '../../db/deliveries.ts';
import type { DeliveryPayload } from '../../db/queue.ts';
import { attempt } from '../../webhooks/attempt.ts';
import { putBack } from '../../webhooks/put-back.ts';
import type { WorkerContext } from '../context.ts';

/** Three hundred receivers of one account that hang leave room for those of every other. */
export const deliveryPlaces = { limit: 60, perAccount: 12, forNewcomers: 12 };
const perHostMax = 4;
const waitForHostMs = 1000;

/** What deliveries of a process take turns by at the host of their receiver. */
export function createReceivers(): CheckSlots {
  return new CheckSlots({ limit: deliveryPlaces.limit, hostLimit: perHostMax });
}

/**
 * Makes the attempt at a delivery that a job is for, or puts it back when too many are under way to the receiver's host.
 * Throwing is how it asks for another try.
 */
export async function deliverWebhook(
  context: WorkerContext,
  receivers: CheckSlots,
  job: JobWithMetadata<DeliveryPayload>,
): Promise<void> {
  const { account_id: accountId, batch_id: batchId } = job.data;
  const ref = { accountId, batchId };
  const delivery = await deliveries.find(context.db, ref);
  if (delivery?.jobId !== job.id) return;
  const host = URL.parse(delivery.url.trim())?.host ?? delivery.url;
  const signal = AbortSignal.timeout(waitForHostMs);
  const release = await receivers.take({ accountId, lane: 0, host, signal });
  if (!release) return perform(context.db, putBack(context.boss, { ...ref, jobId: job.id }));
  try {
    await deliver(context, job);
  } finally {
    release();
  }
}

async function deliver(context: WorkerContext, job: JobWithMetadata<DeliveryPayload>): Promise<void> {
  const { config, policy, resolver, halting: signal } = context;
  const postman = {
    ...context,
    sender: { policy, resolver, userAgent: config.checks.userAgent, signal },
    payload: { baseUrl: config.web.baseUrl, retentionDays: config.retention.days },
    isInDoubt: () => context.http.isInDoubt,
    onPosted: () => context.failPoint('after_delivery'),
  };
  const ref = { accountId: job.data.account_id, batchId: job.data.batch_id };
  await attempt(postman, ref, { jobId: job.id, turn: -job.priority });
}
