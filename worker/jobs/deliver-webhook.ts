import type { JobWithMetadata } from 'pg-boss';
import * as accounts from '../../db/accounts.ts';
import * as batches from '../../db/batches.ts';
import { inTransaction } from '../../db/connect.ts';
import * as deliveries from '../../db/deliveries.ts';
import * as items from '../../db/items.ts';
import type { DeliveryPayload } from '../../db/queue.ts';
import { createAgents } from '../../net/agent.ts';
import { fetchOnce } from '../../net/fetch.ts';
import { FetchError } from '../../net/fetch-error.ts';
import type { WorkerContext } from '../context.ts';
import { inlineResultsMax, payloadOf, signedHeaders } from '../webhook.ts';

const timeoutMs = 15_000;
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

/** Makes one attempt at a delivery and puts it on record; a failed one is followed by the next, in its time. */
export async function deliverWebhook(
  context: WorkerContext,
  job: JobWithMetadata<DeliveryPayload>,
): Promise<void> {
  const ref = { accountId: job.data.account_id, batchId: job.data.batch_id };
  const delivery = await deliveries.begin(context.db, ref, job.id);
  const batch = delivery && (await batches.find(context.db, ref));
  if (!batch) return;
  const { payload, headers } = await compose(context, batch);
  const startedMs = performance.now();
  const result = await post(context, delivery.url, payload, headers);
  if (result === null) throw new Error('stopped in the middle of an attempt');
  context.pass('after_delivery');
  const attempt = { ...result, durationMs: Math.round(performance.now() - startedMs) };
  const verdict = verdictOn(result, delivery.roundAttempts);
  await inTransaction(context.db, (trx) =>
    deliveries.recordAttempt(trx, context.boss, delivery, attempt, verdict),
  );
}

async function compose({ db, box, config }: WorkerContext, batch: batches.BatchRow) {
  const isSmall = batch.total <= inlineResultsMax && !batch.purgedAt;
  const payload = payloadOf(batch, {
    baseUrl: config.web.baseUrl,
    retentionDays: config.retention.days,
    items: isSmall ? await items.page(db, batch, { afterPosition: -1, limit: inlineResultsMax }) : null,
  });
  const secrets = await accounts.webhookSecrets(db, box, batch.accountId);
  return { payload, headers: signedHeaders(batch.batchId, payload, secrets, new Date()) };
}

/** Null when our own end stopped it: then it was no attempt. */
async function post(
  { config, policy, resolver, halting }: WorkerContext,
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<deliveries.AttemptResult | null> {
  const agents = createAgents({ policy, resolver });
  try {
    const response = await fetchOnce(new URL(url.trim()), {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json', 'User-Agent': config.checks.userAgent },
      agents,
      signal: halting,
      deadlineMs: performance.now() + timeoutMs,
    });
    response.discard();
    return { status: response.status, error: null };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return error.code === 'aborted' ? null : { status: null, error: error.code };
  } finally {
    agents.close();
  }
}

/** 2xx is delivered, 410 is a wish to hear no more, everything else is tried again until the schedule ends. */
function verdictOn({ status }: deliveries.AttemptResult, attemptsBefore: number): deliveries.Verdict {
  if (status !== null && status >= 200 && status < 300) return 'delivered';
  const delay = retryDelays[attemptsBefore];
  if (status === 410 || delay === undefined) return 'failed';
  return { retryAfterSeconds: Math.round(delay * (1 + jitterShare * Math.random())) };
}
