import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import * as attempts from '../db/notifications/attempts.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { schedule, type Verdict } from './schedule.ts';

/**
 * Puts an attempt on record and, if it is to be repeated, enqueues the next one in the same transaction. What
 * follows is not for an attempt to say whose delivery was sent again meanwhile: another job decides by now.
 */
export async function recordAttempt(
  trx: Trx,
  boss: PgBoss,
  delivery: deliveries.Delivery,
  result: attempts.AttemptResult,
  verdict: Verdict,
): Promise<void> {
  const current = await deliveries.lock(trx, delivery);
  if (!current) return;
  const made = current.attempts + 1;
  await attempts.create(trx, delivery, made, result);
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
