import { setTimeout as sleep } from 'node:timers/promises';
import * as batches from '../../db/batches/batches.ts';
import { ApiError } from '../../process/api-error.ts';
import type { Context } from '../context.ts';

interface Waiter {
  ref: batches.BatchRef;
  wake(): void;
}

interface BatchWatch {
  /** Resolves when the batch has ended or the signal is aborted. Throws a 429 when too many wait for the account. */
  untilEnded(ref: batches.BatchRef, signal: AbortSignal): Promise<void>;
}

const lookEveryMs = 1_000;
const waitersPerAccountMax = 50;

/** Waits for batches on behalf of requests: one look a second at all of them together, and none while nobody waits. */
export function createBatchWatch({ db, log }: Pick<Context, 'db' | 'log'>): BatchWatch {
  const waiters = new Set<Waiter>();
  let isLooking = false;

  async function keepLooking(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (waiters.size > 0) {
      await sleep(lookEveryMs, undefined, { ref: false });
      await look().catch((error) => log.warn('Could not look at the batches that are waited for', { error }));
    }
    isLooking = false;
  }

  async function look(): Promise<void> {
    const asked = new Map([...waiters].map(({ ref }) => [ref.batchId, ref]));
    if (asked.size === 0) return;
    const ended = new Set(await batches.endedOf(db, [...asked.values()]));
    for (const waiter of waiters) if (ended.has(waiter.ref.batchId)) waiter.wake();
  }

  return {
    untilEnded: (ref, signal) => {
      const others = [...waiters].filter((waiter) => waiter.ref.accountId === ref.accountId);
      if (others.length >= waitersPerAccountMax) throw tooManyWaiting();
      return new Promise((resolve) => {
        const waiter = { ref, wake };
        function wake() {
          waiters.delete(waiter);
          signal.removeEventListener('abort', wake);
          resolve();
        }
        if (signal.aborted) return resolve();
        signal.addEventListener('abort', wake);
        waiters.add(waiter);
        void keepLooking();
      });
    },
  };
}

function tooManyWaiting(): ApiError {
  const message = `At most ${waitersPerAccountMax} requests may wait at a time. Ask without wait, or use webhook_url.`;
  return new ApiError('too_many_waiting', message, { retryAfterSeconds: 2 });
}
