import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import { schedule } from './schedule.ts';

/** Takes the allowance for one more delivery to a server of the caller's choice. Throws ApiError. */
export async function prepareResend(
  { db, allowance }: { db: Db; allowance: Allowance },
  ref: deliveries.DeliveryRef,
): Promise<void> {
  if (!(await deliveries.find(db, ref))) throw noDelivery();
  await allowance.take(ref.accountId, { deliveries: 1 });
}

/** Sends a delivery again from the beginning of the schedule, whatever became of it, and returns it as it is then. */
export async function resend(
  trx: Trx,
  boss: PgBoss,
  ref: deliveries.DeliveryRef,
): Promise<deliveries.Delivery> {
  const delivery = await deliveries.lock(trx, ref);
  if (!delivery) throw noDelivery();
  await schedule(trx, boss, delivery, { attempts: delivery.attempts, roundAttempts: 0 }, 0);
  return (await deliveries.find(trx, ref)) ?? delivery;
}

export function noDelivery(): ApiError {
  return new ApiError(
    'not_found',
    'No delivery of a batch with this id in your account. GET /api/v1/webhooks/deliveries lists them.',
  );
}
