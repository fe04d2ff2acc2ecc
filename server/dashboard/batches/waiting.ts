import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import * as chores from '../../../db/queue/chores.ts';
import { workerChore } from '../../../upkeep/chores.ts';
import { isWaiting } from '../../../wire/bodies.ts';
import { duration } from '../format.ts';

// A worker that lives says so every 15 seconds; one that has just been started has not yet.
const [patienceSeconds, silenceSeconds] = [20, 60];

/**
 * Why nothing comes of a batch that has not ended, in a sentence; null while there is nothing to say.
 */
export async function whyWaiting(db: Db, batch: BatchRow): Promise<string | null> {
  const { createdAt, startedAt, completedAt } = batch;
  const waitedMs = Date.now() - createdAt.getTime();
  if (completedAt) return null;
  if (waitedMs >= patienceSeconds * 1000) {
    const silence = await chores.secondsSince(db, workerChore);
    if (silence === null || silence > silenceSeconds) {
      return 'No worker is there just now. Nothing is lost: checking goes on by itself when one is back.';
    }
  }
  if (isWaiting(batch)) return outage;
  if (startedAt || waitedMs < patienceSeconds * 1000) return null;
  return `Other checks are ahead of it in the queue. It has waited for ${duration(waitedMs)}.`;
}

const outage =
  'No search provider is answering. Your checks stay queued and are tried again within a few minutes. Checks that still get no answer are refunded.';

// Before that the rate of a batch says little.
const tellingShare = 0.05;

/** How long a running batch will take yet at the rate it has gone, in words; null where that cannot be told. */
export function timeLeftOf({
  startedAt,
  completedAt,
  total,
  skipped,
  successful,
  failed,
}: BatchRow): string | null {
  const [done, toDo] = [successful + failed - skipped, total - skipped];
  if (!startedAt || completedAt || done < toDo * tellingShare) return null;
  return duration(((Date.now() - startedAt.getTime()) / done) * (toDo - done));
}
