import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { startStack } from '../stack.ts';
import { measureBeside } from './beside.ts';
import { disperse, startCrowd, startOutside } from './processes.ts';

const places = 20;
const searchMs = 400;
const atOnce = 20;
const settleMs = (accounts: number) => 2000 + 40 * accounts;

/** One search while the caller waits, beside accounts with twenty in flight, at a provider of twenty places. */
export async function benchSearches(): Promise<Figure[]> {
  const outside = await startOutside({ searchMs });
  const stack = await startStack({
    SERP_PROVIDERS: 'serper',
    SERPER_API_KEY: 'bench',
    SERPER_BASE_URL: `http://127.0.0.1:${outside.port}`,
    PROVIDER_CONCURRENCY: String(places),
  });
  try {
    return await measureBeside(stack, {
      what: 'a single search',
      credits: 10_000,
      rounds: 7,
      work: async (victim) => {
        const startedMs = performance.now();
        const url = `https://indexed-${randomUUID()}.example/`;
        const { status } = await stack.post(victim, '/check', { url });
        if (status !== 200) throw new Error(`answered ${status}`);
        return performance.now() - startedMs;
      },
      gather: async (greedy) => {
        const crowd = await startCrowd({
          baseUrl: `${stack.baseUrl}/api/v1`,
          callers: greedy.map(({ token }) => ({ token })),
          atOnce,
          path: '/check',
          body: '{"url":"https://indexed-{a}-{n}.example/"}',
        });
        await pause(settleMs(greedy.length));
        return async () => void (await disperse(crowd));
      },
      // One call of each other account first, at the pace at which places become free.
      promisedMs: (n, quietMs) => quietMs + (n * searchMs) / places,
    });
  } finally {
    await stack.stop();
    await outside.stop();
  }
}
