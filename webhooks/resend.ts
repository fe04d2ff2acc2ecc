import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import { scheduleAttempt } from './schedule.ts';

/**
 * Restarts a delivery in any state from the first attempt. Returns the updated delivery. The resend counts against the
 * allowance. Throws ApiError if the delivery does not exist.
 */
export async function resendDelivery(
  trx: Trx,
  { boss, allowance }: { boss: PgBoss; allowance: Pick<Allowance, 'recordUnbilled'> },
  ref: deliveries.DeliveryRef,
): Promise<deliveries.Delivery> {
  const delivery = await deliveries.lock(trx, ref);
  if (!delivery) throw deliveryNotFound();
  await scheduleAttempt(trx, boss, delivery, { attempts: delivery.attempts, roundAttempts: 0 }, 0);
  await allowance.recordUnbilled(trx, ref.accountId, { deliveries: 1 });
  return (await deliveries.find(trx, ref)) ?? delivery;
}

export function deliveryNotFound(): ApiError {
  return new ApiError(
    'not_found',
    'No delivery for a batch with this id in your account. GET /api/v1/webhooks/deliveries lists your deliveries.',
  );
}
