import type { PgBoss } from 'pg-boss';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueDelivery } from '../db/queue/queue.ts';

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
