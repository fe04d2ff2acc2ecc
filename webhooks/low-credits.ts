import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import type { LowCredits } from '../db/ledger/credit-alerts.ts';
import * as events from '../db/notifications/events.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { timestamp } from '../wire/bodies.ts';
import { createDelivery } from './schedule.ts';

export interface LowCreditsDeps {
  boss: PgBoss;
  allowance: Pick<Allowance, 'recordUnbilled'>;
  baseUrl: string;
}

const event = 'credits.low';

/** Creates a `credits.low` event for an account, and the event's delivery. */
export async function createLowCreditsEvent(
  trx: Trx,
  { boss, allowance, baseUrl }: LowCreditsDeps,
  accountId: number,
  { credits, threshold, lowSince, url }: LowCredits & { url: string },
): Promise<void> {
  const eventId = randomUUID();
  const body = {
    event,
    credits,
    threshold,
    low_since: timestamp(lowSince),
    credits_url: `${baseUrl}/credits`,
  };
  const messageId = `msg_${eventId}_credits_low`;
  await events.create(trx, {
    accountId,
    messageId,
    eventId,
    event,
    monitorId: null,
    runId: null,
    isPaid: false,
    body,
  });
  // No paid check covers this delivery.
  await allowance.recordUnbilled(trx, accountId, { deliveries: 1 });
  await createDelivery(trx, boss, { accountId, eventId, url });
}
