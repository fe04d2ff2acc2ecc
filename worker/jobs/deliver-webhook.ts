import type { JobWithMetadata } from 'pg-boss';
import { perform } from '../../db/postgres/act.ts';
import type { DeliveryPayload } from '../../db/queue/queue.ts';
import { attempt } from '../../webhooks/attempt.ts';
import { putBack } from '../../webhooks/put-back.ts';
import type { WorkerContext } from '../context.ts';

/** Three hundred receivers of one account that hang leave room for those of every other. */
export const deliveryPlaces = { limit: 60, perAccount: 12, forNewcomers: 12 };
/** Those beyond wait in the process, and go to the queue for some seconds only where these are taken. */
export const deliveryLine = { limit: 600, perAccount: 100, forNewcomers: 150 };
/** To one receiver of an account at a time, so that one that hangs leaves room for the account's others. */
export const deliveriesPerHost = 4;

/** Leaves a delivery whose account has enough under way, and waiting, to a later job. */
export function turnDeliveryAway({ db, boss }: WorkerContext, job: JobWithMetadata<DeliveryPayload>) {
  const { account_id: accountId, event_id: eventId } = job.data;
  return perform(db, putBack(boss, { accountId, eventId, jobId: job.id }));
}

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
    isInDoubt: () => context.http.isInDoubt(),
    onPosted: () => context.failPoint('after_delivery'),
  };
  const ref = { accountId: job.data.account_id, eventId: job.data.event_id };
  await attempt(postman, ref, { jobId: job.id, turn: -job.priority });
}
