import type { PgBoss } from 'pg-boss';
import type { OrphanedDelivery } from '../db/batches/orphans.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueAttempt } from './owe.ts';

/**
 * Gives a delivery whose job is gone a new one, due when the lost one was. False when somebody else did so
 * first.
 */
export async function reenqueue(trx: Trx, boss: PgBoss, orphan: OrphanedDelivery): Promise<boolean> {
  const due = await deliveries.lockDue(trx, orphan);
  if (due === null) return false;
  const jobId = await enqueueAttempt(trx, boss, { ...orphan, url: due.url }, due.inSeconds);
  await deliveries.update(trx, orphan, { jobId });
  return true;
}
