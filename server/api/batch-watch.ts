import { setTimeout as sleep } from 'node:timers/promises';
import * as batches from '../../db/batches/batches.ts';
import { ApiError } from '../../process/api-error.ts';
import type { Context } from '../context.ts';

interface Waiter {
  ref: batches.BatchRef;
  wake(): void;
}

interface BatchWatch {
  /** Resolves when the batch has ended or the signal is aborted. Throws a 429 if the account has too many waiters. */
  untilEnded(ref: batches.BatchRef, signal: AbortSignal): Promise<void>;
}

const pollEveryMs = 1_000;
const waitersPerAccountMax = 50;

/** Lets requests wait for batches. While any request waits, one query per second checks all awaited batches. */
export function createBatchWatch({ db, log }: Pick<Context, 'db' | 'log'>): BatchWatch {
  const waiters = new Set<Waiter>();
  let isPolling = false;

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiters.size > 0) {
      await sleep(pollEveryMs, undefined, { ref: false });
      await wakeEnded().catch((error) => log.warn('Could not poll batches for waiting requests', { error }));
    }
    isPolling = false;
  }

  async function wakeEnded(): Promise<void> {
    const asked = new Map([...waiters].map(({ ref }) => [ref.batchId, ref]));
    if (asked.size === 0) return;
    const ended = new Set(await batches.findEnded(db, [...asked.values()]));
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
        void poll();
      });
    },
  };
}

function tooManyWaiting(): ApiError {
  const message = `${waitersPerAccountMax} requests of your account are already waiting. Poll without wait, or use webhook_url.`;
  return new ApiError('too_many_waiting', message, { retryAfterSeconds: 2 });
}
