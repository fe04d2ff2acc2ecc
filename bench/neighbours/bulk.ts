import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { type Customer, type Stack, startStack } from '../stack.ts';
import { hostOf, measureBeside } from './beside.ts';
import { startOutside } from './processes.ts';

const perBatch = 2000;
const slots = 100;
/** Slots that only accounts that hold none are given. */
const forNewcomers = 15;
/** Of a check. */
const timeoutMs = 15_000;
const slowMs = 1000;
const settleMs = 2500;
const urlsOfVictim = 10;

/** Ten URLs beside batches of 2,000 whose targets are slow, or never answer. */
export async function benchBulk(): Promise<Figure[]> {
  const outside = await startOutside({ slowMs });
  const slow = await besideBatches(outside.port, { what: 'slow', path: 'slow', freeAfterMs: slowMs });
  const silent = await besideBatches(outside.port, {
    what: 'silent',
    path: 'hang',
    freeAfterMs: timeoutMs,
  });
  await outside.stop();
  return [...slow, ...silent];
}

interface Greed {
  what: string;
  path: string;
  /** The longest that all slots are held and none becomes free. */
  freeAfterMs: number;
}

async function besideBatches(port: number, { what, path, freeAfterMs }: Greed): Promise<Figure[]> {
  const stack = await startStack({ CHECK_CONCURRENCY: String(slots) });
  try {
    await stack.startWorker();
    const mine = Array.from(
      { length: urlsOfVictim },
      (_, index) => `http://127.1.1.${index + 1}:${port}/quick`,
    );
    return await measureBeside(stack, {
      what: `ten URLs, others' targets ${what},`,
      credits: 10_000,
      rounds: 7,
      work: async (victim) => {
        const startedMs = performance.now();
        const { body } = await stack.post(victim, '/http-status/bulk', { urls: mine });
        await stack.ended(victim, String(body.batch_id));
        return performance.now() - startedMs;
      },
      gather: async (greedy) => {
        const batches = await Promise.all(
          greedy.map((one, index) => submit(stack, one, targets(port, path, index))),
        );
        await pause(settleMs);
        return async () => {
          await Promise.all(batches.map((id, index) => cancel(stack, greedy[index] as Customer, id)));
          await pause(settleMs);
        };
      },
      promisedMs: (n, quietMs) =>
        (n < forNewcomers ? 0 : freeAfterMs) + quietMs * Math.max(1, (urlsOfVictim * (n + 1)) / slots),
    });
  } finally {
    await stack.stop();
  }
}

function targets(port: number, path: string, account: number): string[] {
  return Array.from(
    { length: perBatch },
    (_, index) => `http://${hostOf(account + 1, index)}:${port}/${path}/${index}`,
  );
}

async function submit(stack: Stack, greedy: Customer, urls: string[]): Promise<string> {
  const { status, body } = await stack.post(greedy, '/http-status/bulk', { urls });
  if (status !== 202) throw new Error(`answered ${status}`);
  return String(body.batch_id);
}

async function cancel(stack: Stack, greedy: Customer, batchId: string): Promise<void> {
  await stack.post(greedy, `/batch/${batchId}/cancel`, {});
}
