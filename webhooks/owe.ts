import type { PgBoss } from 'pg-boss';
import type { BatchRef } from '../db/batches.ts';
import type { Trx } from '../db/connect.ts';
import * as deliveries from '../db/deliveries.ts';
import { deliveryQueue, enqueueDelivery } from '../db/queue.ts';
import * as turns from '../db/turns.ts';

/** Owes a batch's delivery and enqueues its first attempt, in the transaction that ends the batch. */
export async function owe(trx: Trx, boss: PgBoss, delivery: BatchRef & { url: string }): Promise<void> {
  const jobId = await enqueueAttempt(trx, boss, delivery, 0);
  const { accountId, batchId, url } = delivery;
  await deliveries.create(trx, { accountId, batchId, url, jobId });
}

/**
 * Enqueues an attempt, due in so many seconds, and answers its job's id. Each takes a turn of its own, so
 * that one account's thousand dead receivers stand behind each other.
 */
export async function enqueueAttempt(
  trx: Trx,
  boss: PgBoss,
  { accountId, batchId, url }: BatchRef & { url: string },
  inSeconds: number,
): Promise<string> {
  const serving = await turns.nowServing(trx, deliveryQueue);
  const turn = await turns.take(trx, { accountId, queue: deliveryQueue, chunks: 1 }, serving);
  return enqueueDelivery(boss, trx, { accountId, batchId, url, turn, inSeconds });
}
