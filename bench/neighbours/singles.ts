import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { startStack } from '../stack.ts';
import { measureBeside } from './beside.ts';
import { disperse, startCrowd, startOutside } from './processes.ts';

const slots = 100;
const forNewcomers = 15;
/** Of a check. */
const timeoutMs = 15_000;
/** As many as one account may have in flight. */
const atOnce = 20;
/** Until a crowd's first checks have their slots; each of its accounts begins twenty. */
const settleMs = (accounts: number) => 2500 + 60 * accounts;

/** One check while the caller waits, beside accounts with twenty in flight whose targets never answer. */
export async function benchSingles(): Promise<Figure[]> {
  const outside = await startOutside();
  const stack = await startStack({ CHECK_CONCURRENCY: String(slots) });
  try {
    return await measureBeside(stack, {
      what: 'a single check',
      credits: 10_000,
      rounds: 7,
      work: async (victim) => {
        const startedMs = performance.now();
        const { status } = await stack.post(victim, '/http-status', {
          url: `http://127.1.1.1:${outside.port}/quick`,
        });
        if (status !== 200) throw new Error(`answered ${status}`);
        return performance.now() - startedMs;
      },
      gather: async (greedy) => {
        await outside.hold();
        const crowd = await startCrowd({
          baseUrl: `${stack.baseUrl}/api/v1`,
          callers: greedy.map(({ token }) => ({ token })),
          atOnce,
          path: '/http-status',
          body: `{"url":"http://127.{a}.2.{h}:${outside.port}/hang/{n}"}`,
        });
        await pause(settleMs(greedy.length));
        return async () => {
          await outside.release();
          await disperse(crowd);
        };
      },
      promisedMs: (n, quietMs) => (n < forNewcomers ? 0 : timeoutMs) + quietMs * Math.max(1, (n + 1) / slots),
    });
  } finally {
    await stack.stop();
    await outside.stop();
  }
}
