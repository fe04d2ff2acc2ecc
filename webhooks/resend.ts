import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db } from '../db/postgres/connect.ts';
import { Refused } from '../process/refused.ts';
import { schedule } from './schedule.ts';

/**
 * Sends a delivery again, whatever became of it before, from the beginning of the schedule, and answers it as
 * it is then. Refused when there is none, and when the allowance is used up: each posts to a server of the
 * caller's choice.
 */
export function resend(
  { db, boss, allowance }: { db: Db; boss: PgBoss; allowance: Allowance },
  ref: deliveries.DeliveryRef,
): Act<deliveries.Delivery> {
  return {
    before: async () => {
      if (!(await deliveries.find(db, ref))) throw noDelivery();
      await allowance.take(ref.accountId, { deliveries: 1 });
    },
    perform: (trx) => redeliver(boss, ref).perform(trx),
  };
}

/** The same by the operator, who needs no leave. */
export function redeliver(boss: PgBoss, ref: deliveries.DeliveryRef): Act<deliveries.Delivery> {
  return {
    perform: async (trx) => {
      const delivery = await deliveries.lock(trx, ref);
      if (!delivery) throw noDelivery();
      await schedule(trx, boss, delivery, { attempts: delivery.attempts, roundAttempts: 0 }, 0);
      return (await deliveries.find(trx, ref)) ?? delivery;
    },
  };
}

export function noDelivery(): Refused {
  return new Refused(
    'not_found',
    'No delivery of a batch with this id in your account. GET /api/v1/webhooks/deliveries lists them.',
  );
}
