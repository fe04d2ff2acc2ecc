import type { PgBoss } from 'pg-boss';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { deliveryQueue, enqueueDelivery } from '../db/queue/queue.ts';
import * as turns from '../db/queue/turns.ts';

/** Creates a delivery and enqueues its first attempt, in the transaction of the event. */
export async function owe(
  trx: Trx,
  boss: PgBoss,
  delivery: deliveries.DeliveryRef & { url: string },
): Promise<void> {
  const jobId = await enqueueAttempt(trx, boss, delivery, 0);
  const { accountId, eventId, url } = delivery;
  await deliveries.create(trx, { accountId, eventId, url, jobId });
}

/**
 * Enqueues an attempt, due in so many seconds, and answers its job's id. Each takes a turn of its own, so
 * that one account's thousand dead receivers stand behind each other.
 */
export async function enqueueAttempt(
  trx: Trx,
  boss: PgBoss,
  { accountId, eventId, url }: deliveries.DeliveryRef & { url: string },
  inSeconds: number,
): Promise<string> {
  const turn = await turns.take(trx, { accountId, queue: deliveryQueue, positions: 1 });
  return enqueueDelivery(boss, trx, { accountId, eventId, url, turn, inSeconds });
}
