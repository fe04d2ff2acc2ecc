import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as batches from '../db/batches/batches.ts';
import * as results from '../db/batches/results.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import * as events from '../db/notifications/events.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { inlineResultsMax, type PayloadOptions, toPayload } from './payload.ts';
import { type PostOptions, postSigned, type WebhookMessage } from './post.ts';
import { type DeliveryDecision, decideDelivery, postponeAttempt, scheduleAttempt } from './schedule.ts';

interface DeliveryDeps {
  db: Db;
  boss: PgBoss;
  allowance: Allowance;
  secretBox: SecretBox;
  sender: PostOptions;
  payload: Omit<PayloadOptions, 'items'>;
  /** Resolves to true if the network of the process is in doubt. */
  isInDoubt: () => Promise<boolean>;
  /** Called after the response and before the attempt is recorded. */
  onPosted: () => void;
}

/**
 * Makes one attempt at a delivery and records the attempt. After a failure, enqueues the next attempt. Does nothing if
 * the delivery belongs to another job. Postpones an unbilled attempt if the allowance is used up. Throws if the attempt
 * was interrupted. Also throws if the attempt failed while the network of the process is in doubt.
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  ref: deliveries.DeliveryRef,
  jobId: string,
): Promise<void> {
  const { db, boss, allowance, sender } = deps;
  const delivery = await deliveries.find(db, ref);
  if (delivery?.jobId !== jobId || delivery.state !== 'pending') return;
  const content = await findContent(deps, delivery);
  if (!content) return;
  const isUnbilled = isUnbilledAttempt(delivery, content);
  if (isUnbilled && (await postponeIfExhausted(deps, delivery))) return;
  const posted = await postSigned(delivery.url, await createMessage(deps, delivery, content), sender);
  if (posted === null) throw new Error('the attempt was interrupted');
  // A fault that is probably ours must not use up one of the ten attempts.
  if (posted.error !== null && (await deps.isInDoubt())) {
    throw new Error('the network of this process seems to be down');
  }
  deps.onPosted();
  const verdict = decideDelivery(posted, delivery.roundAttempts);
  await inTransaction(db, async (trx) => {
    await recordAttempt(trx, boss, delivery, posted, verdict);
    if (isUnbilled) await allowance.recordUnbilled(trx, delivery.accountId, { deliveries: 1 });
  });
}

interface DeliveryContent {
  payload: string;
  isTest: boolean;
  /** True if a paid check covers the first round of attempts. */
  isPaid: boolean;
}

/** Returns null if the batch or event is no longer stored. */
async function findContent(
  { db, payload }: DeliveryDeps,
  delivery: deliveries.Delivery,
): Promise<DeliveryContent | null> {
  const { accountId, eventId } = delivery;
  if (delivery.event !== 'batch.completed') {
    const event = await events.find(db, { accountId, eventId });
    return event && { payload: JSON.stringify(event.body), isTest: false, isPaid: event.isPaid };
  }
  const batch = await batches.find(db, { accountId, batchId: eventId });
  if (!batch) return null;
  const isSmall = batch.total <= inlineResultsMax && !batch.purgedAt;
  const inline = isSmall
    ? await results.pageAfter(db, batch, { afterPosition: -1, limit: inlineResultsMax })
    : null;
  const { isTest, successful } = batch;
  return { payload: toPayload(batch, { ...payload, items: inline }), isTest, isPaid: successful > 0 };
}

async function createMessage(
  { db, secretBox }: DeliveryDeps,
  { messageId, accountId }: deliveries.Delivery,
  { payload, isTest }: DeliveryContent,
): Promise<WebhookMessage> {
  const secrets = await accounts.findSigningSecrets(db, secretBox, accountId, { isTest });
  return { id: messageId, payload, secrets };
}

const postponedSecondsMin = 300;

/**
 * Returns true if the attempt must be counted as unbilled. A paid check covers the first round of attempts. Each resend
 * starts a new round. The first attempt of every round was counted earlier.
 */
function isUnbilledAttempt(
  { attempts, roundAttempts }: deliveries.Delivery,
  { isPaid }: { isPaid: boolean },
): boolean {
  const isPaidFor = isPaid && attempts === roundAttempts;
  return roundAttempts > 0 && !isPaidFor;
}

/** If the allowance is used up, postpones the attempt and returns true. A postponed attempt is not counted. */
async function postponeIfExhausted(
  { db, boss, allowance }: { db: Db; boss: PgBoss; allowance: Allowance },
  delivery: deliveries.Delivery,
): Promise<boolean> {
  try {
    await allowance.requireRemaining(delivery.accountId);
    return false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await postponeAttempt(
      { db, boss },
      delivery,
      Math.max(postponedSecondsMin, error.retryAfterSeconds ?? 0),
    );
    return true;
  }
}

/**
 * Records an attempt and enqueues the next one, in one transaction. If the delivery was resent meanwhile, only the
 * number of attempts changes, because another job makes the next attempt.
 */
async function recordAttempt(
  trx: Trx,
  boss: PgBoss,
  delivery: deliveries.Delivery,
  result: deliveries.AttemptResult,
  verdict: DeliveryDecision,
): Promise<void> {
  const current = await deliveries.lock(trx, delivery);
  if (!current) return;
  const made = current.attempts + 1;
  await deliveries.recordAttempt(trx, delivery, made, result);
  if (current.state !== 'pending' || current.jobId !== delivery.jobId) {
    return deliveries.update(trx, delivery, { attempts: made });
  }
  const counted = { attempts: made, roundAttempts: current.roundAttempts + 1 };
  if (typeof verdict !== 'string') {
    return scheduleAttempt(trx, boss, delivery, counted, verdict.retryAfterSeconds);
  }
  const ended = { state: verdict, endedAt: sql<Date>`now()`, nextAttemptAt: null, jobId: null };
  await deliveries.update(trx, delivery, { ...counted, ...ended });
}
