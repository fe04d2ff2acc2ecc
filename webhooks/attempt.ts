import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as batches from '../db/batches/batches.ts';
import * as items from '../db/batches/items.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import * as events from '../db/notifications/events.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { inlineResultsMax, type PayloadOptions, payloadOf } from './payload.ts';
import { type Message, postSigned, type Sender } from './post.ts';
import { postpone, schedule, type Verdict, verdictOn } from './schedule.ts';

/** What an attempt needs of the process that makes it. */
interface Postman {
  db: Db;
  boss: PgBoss;
  allowance: Allowance;
  box: SecretBox;
  sender: Sender;
  payload: Omit<PayloadOptions, 'items'>;
  /** Whether the process doubts its own network. */
  isInDoubt: () => Promise<boolean>;
  /** Called between the answer and its record. */
  onPosted: () => void;
}

/**
 * Makes one attempt at a delivery, as the job that has its place, and puts it on record; a failed one is
 * followed by the next, in its time. Nothing is done for a job that has lost its place, and an unbilled attempt is put
 * off when nothing is left of the allowance. Throws when it was no attempt at all.
 */
export async function attempt(postman: Postman, ref: deliveries.DeliveryRef, jobId: string): Promise<void> {
  const { db, boss, allowance, sender } = postman;
  const delivery = await deliveries.find(db, ref);
  if (delivery?.jobId !== jobId || delivery.state !== 'pending') return;
  const news = await newsOf(postman, delivery);
  if (!news) return;
  const isUnbilled = isUnbilledAttempt(delivery, news);
  if (isUnbilled && (await putOff(postman, delivery))) return;
  const posted = await postSigned(delivery.url, await compose(postman, delivery, news), sender);
  if (posted === null) throw new Error('stopped in the middle of an attempt');
  // It would use up one of ten attempts for a receiver that nobody asked; another process is to try.
  if (posted.error !== null && (await postman.isInDoubt())) {
    throw new Error('our own network seems to be down');
  }
  postman.onPosted();
  const verdict = verdictOn(posted, delivery.roundAttempts);
  await inTransaction(db, async (trx) => {
    await recordAttempt(trx, boss, delivery, posted, verdict);
    if (isUnbilled) await allowance.recordUnbilled(trx, delivery.accountId, { deliveries: 1 });
  });
}

/** What is told, and whether an answer paid for telling it. */
interface News {
  payload: string;
  /** Of a batch that a test token asked for. */
  isTest: boolean;
  isPaid: boolean;
}

/** Null when what it tells of is no longer kept. */
async function newsOf({ db, payload }: Postman, delivery: deliveries.Delivery): Promise<News | null> {
  const { accountId, eventId } = delivery;
  if (delivery.event !== 'batch.completed') {
    const event = await events.find(db, { accountId, eventId });
    return event && { payload: JSON.stringify(event.body), isTest: false, isPaid: event.isPaid };
  }
  const batch = await batches.find(db, { accountId, batchId: eventId });
  if (!batch) return null;
  const isSmall = batch.total <= inlineResultsMax && !batch.purgedAt;
  const inline = isSmall ? await items.page(db, batch, { afterPosition: -1, limit: inlineResultsMax }) : null;
  const { isTest, successful } = batch;
  return { payload: payloadOf(batch, { ...payload, items: inline }), isTest, isPaid: successful > 0 };
}

async function compose(
  { db, box }: Postman,
  { messageId, accountId }: deliveries.Delivery,
  { payload, isTest }: News,
): Promise<Message> {
  return { id: messageId, payload, secrets: await accounts.signingSecrets(db, box, accountId, { isTest }) };
}

const postponedSecondsMin = 300;

/**
 * Returns whether neither an answer nor the act that enqueued a delivery has paid for this attempt. An answer pays for
 * the first round alone, and sending a delivery again for one attempt.
 */
function isUnbilledAttempt(
  { attempts, roundAttempts }: deliveries.Delivery,
  { isPaid }: { isPaid: boolean },
): boolean {
  const isPaidFor = isPaid && attempts === roundAttempts;
  return roundAttempts > 0 && !isPaidFor;
}

/** Puts an attempt off, uncounted, when nothing is left of the allowance, and returns whether it did. */
async function putOff(
  { db, boss, allowance }: { db: Db; boss: PgBoss; allowance: Allowance },
  delivery: deliveries.Delivery,
): Promise<boolean> {
  try {
    await allowance.requireLeft(delivery.accountId);
    return false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await postpone({ db, boss }, delivery, Math.max(postponedSecondsMin, error.retryAfterSeconds ?? 0));
    return true;
  }
}

/**
 * Puts an attempt on record and, if it is to be repeated, enqueues the next one in the same transaction. What
 * follows is not for an attempt to say whose delivery was sent again meanwhile: another job decides by now.
 */
async function recordAttempt(
  trx: Trx,
  boss: PgBoss,
  delivery: deliveries.Delivery,
  result: deliveries.AttemptResult,
  verdict: Verdict,
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
    return schedule(trx, boss, delivery, counted, verdict.retryAfterSeconds);
  }
  const ended = { state: verdict, endedAt: sql<Date>`now()`, nextAttemptAt: null, jobId: null };
  await deliveries.update(trx, delivery, { ...counted, ...ended });
}
