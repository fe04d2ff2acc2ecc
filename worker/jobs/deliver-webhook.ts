import type { JobWithMetadata } from 'pg-boss';
import type { DeliveryPayload } from '../../db/queue.ts';
import { attempt } from '../../webhooks/attempt.ts';
import type { WorkerContext } from '../context.ts';

/** Makes the attempt at a delivery that a job is for. Throwing is how it asks for another try. */
export async function deliverWebhook(
  context: WorkerContext,
  job: JobWithMetadata<DeliveryPayload>,
): Promise<void> {
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
