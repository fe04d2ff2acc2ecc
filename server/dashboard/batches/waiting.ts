import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import * as chores from '../../../db/queue/chores.ts';
import { workerChore } from '../../../upkeep/chores.ts';
import { isWaiting } from '../../../wire/bodies.ts';
import { duration } from '../format.ts';

// Workers send a heartbeat every 15 seconds. The grace period lets a new worker send its first heartbeat.
const [graceSeconds, silenceSeconds] = [20, 60];

/** Returns a sentence that explains why a batch waits; null if it does not wait. */
export async function describeWait(db: Db, batch: BatchRow): Promise<string | null> {
  const { createdAt, startedAt, completedAt } = batch;
  const waitedMs = Date.now() - createdAt.getTime();
  if (completedAt) return null;
  if (waitedMs >= graceSeconds * 1000) {
    const silence = await chores.secondsSince(db, workerChore);
    if (silence === null || silence > silenceSeconds) {
      return 'No worker is running. Your checks stay queued and start as soon as one is back.';
    }
  }
  if (isWaiting(batch)) return outage;
  if (startedAt || waitedMs < graceSeconds * 1000) return null;
  return `Other checks are ahead in the queue. This batch has waited for ${duration(waitedMs)}.`;
}

const outage =
  'No search provider is answering. Your checks stay queued, and we retry them within a few minutes. We refund checks that get no answer.';

// Minimum share of finished checks for an estimate. With fewer finished checks, the rate is not reliable.
const minDoneShare = 0.05;

/** Returns the estimated remaining time in words, from the rate so far; null if the rate is not known yet. */
export function estimateTimeLeft({
  startedAt,
  completedAt,
  total,
  skipped,
  successful,
  failed,
}: BatchRow): string | null {
  const [done, toDo] = [successful + failed - skipped, total - skipped];
  if (!startedAt || completedAt || done < toDo * minDoneShare) return null;
  return duration(((Date.now() - startedAt.getTime()) / done) * (toDo - done));
}
