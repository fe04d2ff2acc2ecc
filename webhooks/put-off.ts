import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import { type Db, inTransaction } from '../db/postgres/connect.ts';
import { Refused } from '../process/refused.ts';
import { schedule } from './schedule.ts';

const waitSecondsMin = 300;

/**
 * Takes what a further attempt weighs that no answer pays for; without room for it puts the attempt off, uncounted, and
 * answers true. An answer pays for the first round alone: whoever sends a delivery again pays for one attempt.
 */
export async function putOff(
  { db, boss, allowance }: { db: Db; boss: PgBoss; allowance: Allowance },
  delivery: deliveries.Delivery,
  { isPaid }: { isPaid: boolean },
): Promise<boolean> {
  const { accountId, attempts, roundAttempts } = delivery;
  const isPaidFor = isPaid && attempts === roundAttempts;
  if (roundAttempts === 0 || isPaidFor) return false;
  try {
    await allowance.take(accountId, { deliveries: 1 });
    return false;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await wait({ db, boss }, delivery, Math.max(waitSecondsMin, error.retryAfterSeconds ?? 0));
    return true;
  }
}

/** With some jitter, so that those of one account do not all come back together. */
async function wait(
  { db, boss }: { db: Db; boss: PgBoss },
  delivery: deliveries.Delivery,
  leastSeconds: number,
): Promise<void> {
  const inSeconds = Math.round(leastSeconds * (1 + Math.random()));
  await inTransaction(db, async (trx) => {
    const current = await deliveries.lock(trx, delivery);
    if (current?.state !== 'pending' || current.jobId !== delivery.jobId) return;
    const { attempts, roundAttempts } = current;
    await schedule(trx, boss, delivery, { attempts, roundAttempts }, inSeconds);
  });
}
