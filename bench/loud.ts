import { setTimeout as pause } from 'node:timers/promises';
import type { CheckType } from '../schemas/check-types.ts';
import type { TestProcess } from '../test/support/processes.ts';
import { type Crowd, largeBodies, toPath } from './crowd.ts';
import { fillAccount } from './dashboard-rows.ts';
import { type Figure, median, quantile, spread } from './figures.ts';
import { type OutsideServers, startCrowd, startOutsideServers, stopCrowd } from './processes.ts';
import { type Customer, type Stack, startStack } from './stack.ts';

/** Requests of the victim per measurement; fewer than its rate limit per minute. */
const samples = 500;
const everyMs = 5;
/** Maximum time of a measurement: if requests are slow, fewer samples are enough. */
const atMostMs = 12_000;
const settleMs = 1500;
/** Limit of the p99: this multiple of the quiet p99 or `p99MaxMs`, whichever is more. */
const p99Max = 4;
const p99MaxMs = 50;
/** Quiet and loud alternate several times, since p99 depends on only five of 500 requests. */
const rounds = 3;

/** Requests of the loud account. `stop` ends anything else that produces its load, such as a worker. */
interface Noise extends Partial<Crowd> {
  stop?(): void;
}

type CreateNoise = (loud: Customer, stack: Stack, outside: OutsideServers) => Promise<Noise>;

const noises: Record<string, CreateNoise> = {
  'most expensive pages, checked one by one': async (_loud, _stack, { port }) => ({
    path: '/http-status',
    body: `{"url":"http://127.0.2.{h}:${port}/worst/{n}"}`,
    atOnce: 20,
  }),
  'most expensive pages, checked by a worker': async (loud, stack, { port }) => {
    const worker = await stack.startWorker();
    const urls = Array.from({ length: 2000 }, (_, n) => `http://127.0.3.${(n % 250) + 1}:${port}/worst/${n}`);
    await stack.post(loud, '/http-status/bulk', { urls });
    return { callers: [], stop: () => worker.kill('SIGKILL') };
  },
  'results of 2,000 rows': (loud, stack) => createReaders(loud, stack, 'http', ''),
  'workbooks of 2,000 ranks': (loud, stack) => createReaders(loud, stack, 'keyword', '/results.xlsx'),
  'tables of 2,000 ranks': (loud, stack) => createReaders(loud, stack, 'keyword', '/results.csv'),
  ...Object.fromEntries(
    Object.keys(largeBodies).map((kind) => [
      kind,
      async () => ({ path: toPath(kind), largeBody: kind, atOnce: 4 }),
    ]),
  ),
};

/** Creates a load of twenty concurrent requests of one account for an ended batch of 2,000. */
async function createReaders(
  { accountId, token }: Customer,
  { connection: { db } }: Stack,
  type: CheckType,
  how: string,
): Promise<Noise> {
  // Four batches contain at least one batch of each type.
  await fillAccount(db, accountId, 4, 2000);
  const { batchId } = await db
    .selectFrom('batches')
    .select('batchId')
    .where('accountId', '=', accountId)
    .where('type', '=', type)
    .executeTakeFirstOrThrow();
  return { path: `/batch/{id}${how}`, callers: [{ token, id: batchId }], atOnce: 20 };
}

/**
 * Measures the p99 of GET /credits of one account while another account sends expensive requests as fast as its limits
 * allow. Compares this p99 with the p99 without these requests. Uses the default limits.
 */
export async function* benchLoud(only: string): AsyncGenerator<Figure> {
  const outside = await startOutsideServers();
  const stack = await startStack({ RATE_LIMIT_PER_MINUTE: '600', CHECK_CONCURRENCY: '100' });
  await measureWaits(stack);
  try {
    for (const [what, createNoise] of Object.entries(noises)) {
      if (!what.includes(only)) continue;
      const results: Round[] = [];
      for (let round = 0; round < rounds; round++) {
        const quiet = await measureWaits(stack);
        const loud = await stack.createCustomer(1_000_000);
        const { stop, ...noise } = await createNoise(loud, stack, outside);
        const crowd = await startNoise(loud, stack, noise);
        await pause(settleMs);
        const beside = await measureWaits(stack);
        results.push({ quiet, beside, statuses: await stopCrowd(crowd) });
        stop?.();
        await pause(settleMs);
      }
      yield toFigure(what, results);
    }
  } finally {
    await stack.stop();
    await outside.stop();
  }
}

function startNoise({ token }: Customer, { baseUrl }: Stack, noise: Partial<Crowd>): Promise<TestProcess> {
  return startCrowd({ baseUrl: `${baseUrl}/api/v1`, callers: [{ token }], atOnce: 1, path: '', ...noise });
}

/** Sends requests of a new account one after the other. Returns the milliseconds of each request. */
async function measureWaits(stack: Stack): Promise<number[]> {
  const victim = await stack.createCustomer(1);
  const waits: number[] = [];
  const endMs = performance.now() + atMostMs;
  while (waits.length < samples && performance.now() < endMs) {
    const startedMs = performance.now();
    const { credits } = await stack.get(victim, '/credits');
    if (credits !== 1) throw new Error(`answered ${credits}`);
    waits.push(performance.now() - startedMs);
    await pause(everyMs);
  }
  return waits;
}

interface Round {
  quiet: number[];
  beside: number[];
  /** Counts of the loud account's responses by status. */
  statuses: object;
}

function toFigure(what: string, results: Round[]): Figure {
  const quantiles = (when: 'quiet' | 'beside', share: number) =>
    results.map((round) => quantile(round[when], share));
  const against = (share: number) =>
    `${spread(quantiles('beside', share))} against ${spread(quantiles('quiet', share))}`;
  const [besideMs, quietMs] = [median(quantiles('beside', 0.99)), median(quantiles('quiet', 0.99))];
  return {
    what: `p99 of others beside ${what}`,
    value: `${(besideMs / quietMs).toFixed(2)} × — p99 ${against(0.99)}; p50 ${against(0.5)}; ${results
      .map(({ statuses }) => JSON.stringify(statuses))
      .join(' ')}`,
    bar: `≤ ${p99Max}, or ≤ ${p99MaxMs} ms`,
    isMet: besideMs <= Math.max(p99Max * quietMs, p99MaxMs),
  };
}
