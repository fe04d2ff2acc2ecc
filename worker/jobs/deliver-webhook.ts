import type { JobWithMetadata } from 'pg-boss';
import * as accounts from '../../db/accounts.ts';
import * as batches from '../../db/batches.ts';
import { inTransaction } from '../../db/connect.ts';
import * as deliveries from '../../db/deliveries.ts';
import * as items from '../../db/items.ts';
import type { DeliveryPayload } from '../../db/queue.ts';
import { inlineResultsMax, payloadOf } from '../../webhooks/payload.ts';
import { type Message, type Posted, postSigned } from '../../webhooks/post.ts';
import type { WorkerContext } from '../context.ts';

const minute = 60;
const hour = 60 * minute;
/** Seconds between attempts (Standard Webhooks, as DESIGN.md section 9 has them); each with up to a fifth of jitter. */
const retryDelays = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
const jitterShare = 0.2;
/** A receiver may ask for a longer pause than the schedule has, but not for as long as it likes. */
const retryAfterSecondsMax = hour;

/** Makes one attempt at a delivery and puts it on record; a failed one is followed by the next, in its time. */
export async function deliverWebhook(
  context: WorkerContext,
  job: JobWithMetadata<DeliveryPayload>,
): Promise<void> {
  const ref = { accountId: job.data.account_id, batchId: job.data.batch_id };
  const delivery = await deliveries.begin(context.db, ref, { jobId: job.id, turn: -job.priority });
  const batch = delivery && (await batches.find(context.db, ref));
  if (!batch) return;
  const { policy, resolver, halting: signal } = context;
  const { userAgent } = context.config.checks;
  const message = await compose(context, batch);
  const posted = await postSigned(delivery.url, message, { policy, resolver, userAgent, signal });
  if (posted === null) throw new Error('stopped in the middle of an attempt');
  // It would use up one of ten attempts for a receiver that nobody asked; another process is to try.
  if (posted.error !== null && context.http.isInDoubt) throw new Error('our own network seems to be down');
  context.failPoint('after_delivery');
  const verdict = verdictOn(posted, delivery.roundAttempts);
  await inTransaction(context.db, (trx) =>
    deliveries.recordAttempt(trx, context.boss, delivery, posted, verdict),
  );
}

async function compose({ db, box, config }: WorkerContext, batch: batches.BatchRow): Promise<Message> {
  const isSmall = batch.total <= inlineResultsMax && !batch.purgedAt;
  const payload = payloadOf(batch, {
    baseUrl: config.web.baseUrl,
    retentionDays: config.retention.days,
    items: isSmall ? await items.page(db, batch, { afterPosition: -1, limit: inlineResultsMax }) : null,
  });
  const secrets = await accounts.signingSecrets(db, box, batch.accountId);
  return { id: deliveries.messageId(batch.batchId), payload, secrets };
}

/** 2xx is delivered, 410 is a wish to hear no more, everything else is tried again until the schedule ends. */
function verdictOn({ status, retryAfterSeconds }: Posted, attemptsBefore: number): deliveries.Verdict {
  if (status !== null && status >= 200 && status < 300) return 'delivered';
  const delay = retryDelays[attemptsBefore];
  if (status === 410 || delay === undefined) return 'failed';
  const scheduled = Math.round(delay * (1 + jitterShare * Math.random()));
  const asked = Math.min(retryAfterSeconds ?? 0, retryAfterSecondsMax);
  return { retryAfterSeconds: Math.max(scheduled, asked) };
}
