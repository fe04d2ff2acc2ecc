import type { PgBoss } from 'pg-boss';
import * as deliveries from '../db/notifications/deliveries.ts';
import type { Act } from '../db/postgres/act.ts';
import { enqueueAttempt } from './owe.ts';

const afterSecondsMin = 5;
const afterSecondsMax = 15;

/**
 * Leaves a delivery to a later job, since its account has too many under way. No attempt is counted. Nothing is
 * done for a job that has lost its place.
 */
export function putBack(boss: PgBoss, ref: deliveries.DeliveryRef & { jobId: string }): Act<void> {
  return {
    perform: async (trx) => {
      const due = await deliveries.lockDue(trx, ref);
      if (due === null) return;
      const inSeconds = afterSecondsMin + Math.floor(Math.random() * (afterSecondsMax - afterSecondsMin + 1));
      const jobId = await enqueueAttempt(trx, boss, { ...ref, url: due.url }, inSeconds);
      await deliveries.update(trx, ref, { jobId });
    },
  };
}
