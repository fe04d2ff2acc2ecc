import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import * as deliveries from '../db/notifications/deliveries.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { enqueueDelivery } from '../db/queue/queue.ts';

const minute = 60;
const hour = 60 * minute;
/**
 * Seconds between the attempts of a webhook delivery, as Standard Webhooks proposes. Jitter adds up to a fifth to each
 * delay.
 */
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
/** Longest delay that a receiver can ask for. */
const retryAfterSecondsMax = hour;

/** The new state of a delivery after an attempt, or the delay before the next attempt. */
export type DeliveryDecision = 'delivered' | 'failed' | { retryAfterSeconds: number };

/**
 * Decides by the status. 2xx means delivered, and 410 means failed. Any other status, or no response, is retried until
 * no delay of `retryDelays` is left.
 */
export function decideDelivery(
  { status, retryAfterSeconds }: { status: number | null; retryAfterSeconds: number | null },
  attemptsBefore: number,
): DeliveryDecision {
  if (status !== null && status >= 200 && status < 300) return 'delivered';
  const delay = retryDelays[attemptsBefore];
  if (status === 410 || delay === undefined) return 'failed';
  const scheduled = Math.round(delay * (1 + jitterShare * Math.random()));
  const requested = Math.min(retryAfterSeconds ?? 0, retryAfterSecondsMax);
  return { retryAfterSeconds: Math.max(scheduled, requested) };
}

/** Makes a delivery pending and enqueues the next attempt. The transaction must have locked the delivery. */
export async function scheduleAttempt(
  trx: Trx,
  boss: PgBoss,
  delivery: deliveries.DeliveryRef & { url: string },
  counted: { attempts: number; roundAttempts: number },
  inSeconds: number,
): Promise<void> {
  await deliveries.update(trx, delivery, {
    ...counted,
    state: 'pending',
    endedAt: null,
    nextAttemptAt: sql<Date>`now() + ${inSeconds} * interval '1 second'`,
    jobId: await enqueueDelivery(boss, trx, { ...delivery, inSeconds }),
  });
}

/**
 * Reschedules the next attempt of a delivery and leaves the counts unchanged. The delay is random, between `secondsMin`
 * and twice `secondsMin`, to spread the deliveries of an account over time. Does nothing if the delivery belongs to
 * another job.
 */
export async function postponeAttempt(
  { db, boss }: { db: Db; boss: PgBoss },
  ref: deliveries.DeliveryRef & { jobId: string | null },
  secondsMin: number,
): Promise<void> {
  const inSeconds = Math.round(secondsMin * (1 + Math.random()));
  await inTransaction(db, async (trx) => {
    const current = await deliveries.lock(trx, ref);
    if (current?.state !== 'pending' || current.jobId !== ref.jobId) return;
    const { attempts, roundAttempts } = current;
    await scheduleAttempt(trx, boss, current, { attempts, roundAttempts }, inSeconds);
  });
}

/** Creates a delivery and enqueues the first attempt. Call this in the transaction of the event. */
export async function createDelivery(
  trx: Trx,
  boss: PgBoss,
  delivery: deliveries.DeliveryRef & { url: string },
): Promise<void> {
  const { accountId, eventId, url } = delivery;
  const isFirst = !(await deliveries.isNewestPending(trx, accountId));
  const jobId = await enqueueDelivery(boss, trx, { ...delivery, isFirst });
  await deliveries.create(trx, { accountId, eventId, url, jobId });
}
