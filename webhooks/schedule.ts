import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import * as deliveries from '../db/notifications/deliveries.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { enqueueDelivery } from '../db/queue/queue.ts';

const minute = 60;
const hour = 60 * minute;
/** Seconds between attempts, as Standard Webhooks proposes them; each with up to a fifth of jitter. */
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

/** What follows from an attempt; a delay says when to try again. */
export type Verdict = 'delivered' | 'failed' | { retryAfterSeconds: number };

/**
 * 2xx is delivered, 410 is a wish to hear no more, everything else is tried again until the schedule ends.
 */
export function verdictOn(
  { status, retryAfterSeconds }: { status: number | null; retryAfterSeconds: number | null },
  attemptsBefore: number,
): Verdict {
  if (status !== null && status >= 200 && status < 300) return 'delivered';
  const delay = retryDelays[attemptsBefore];
  if (status === 410 || delay === undefined) return 'failed';
  const scheduled = Math.round(delay * (1 + jitterShare * Math.random()));
  const asked = Math.min(retryAfterSeconds ?? 0, retryAfterSecondsMax);
  return { retryAfterSeconds: Math.max(scheduled, asked) };
}

/** Makes a delivery pending and enqueues its next attempt, in the transaction that has locked it. */
export async function schedule(
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
 * Moves the next attempt of a delivery to a later job and counts none. The delay is random between `leastSeconds` and
 * twice as long, so that the deliveries of an account do not all come back together. Does nothing if another job has
 * the delivery.
 */
export async function postpone(
  { db, boss }: { db: Db; boss: PgBoss },
  ref: deliveries.DeliveryRef & { jobId: string | null },
  leastSeconds: number,
): Promise<void> {
  const inSeconds = Math.round(leastSeconds * (1 + Math.random()));
  await inTransaction(db, async (trx) => {
    const current = await deliveries.lock(trx, ref);
    if (current?.state !== 'pending' || current.jobId !== ref.jobId) return;
    const { attempts, roundAttempts } = current;
    await schedule(trx, boss, current, { attempts, roundAttempts }, inSeconds);
  });
}
