import { setTimeout as pause } from 'node:timers/promises';
import type { CheckType } from '../schemas/check-types.ts';
import type { TestProcess } from '../test/support/processes.ts';
import { type Crowd, largeBodies, pathOf } from './crowd.ts';
import { fillAccount } from './dashboard-rows.ts';
import { type Figure, median, quantile, spread } from './figures.ts';
import { disperse, type Outside, startCrowd, startOutside } from './processes.ts';
import { type Customer, type Stack, startStack } from './stack.ts';

/** Less than an account may ask in a minute. */
const samples = 500;
const everyMs = 5;
/** When each takes long, fewer of them show as much. */
const atMostMs = 12_000;
const settleMs = 1500;
/** Of the p99 in quiet; or this many milliseconds, whichever is more. */
const p99Max = 4;
const p99MaxMs = 50;
/** Of quiet and loud in turn: the five worst of 500 requests are as much the machine's as ours. */
const rounds = 3;

/** What a crowd of one is to ask, and what ends whatever else was begun. */
interface Din extends Partial<Crowd> {
  hush?(): void;
}

type Noise = (loud: Customer, stack: Stack, outside: Outside) => Promise<Din>;

const noises: Record<string, Noise> = {
  'dearest pages, checked one by one': async (_loud, _stack, { port }) => ({
    path: '/http-status',
    body: `{"url":"http://127.0.2.{h}:${port}/worst/{n}"}`,
    atOnce: 20,
  }),
  'dearest pages, checked by a worker': async (loud, stack, { port }) => {
    const worker = await stack.startWorker();
    const urls = Array.from({ length: 2000 }, (_, n) => `http://127.0.3.${(n % 250) + 1}:${port}/worst/${n}`);
    await stack.post(loud, '/http-status/bulk', { urls });
    return { callers: [], hush: () => worker.kill('SIGKILL') };
  },
  'results of 2,000 rows': (loud, stack) => readersOf(loud, stack, 'http', ''),
  'workbooks of 2,000 ranks': (loud, stack) => readersOf(loud, stack, 'keyword', '/results.xlsx'),
  'tables of 2,000 ranks': (loud, stack) => readersOf(loud, stack, 'keyword', '/results.csv'),
  ...Object.fromEntries(
    Object.keys(largeBodies).map((kind) => [
      kind,
      async () => ({ path: pathOf(kind), largeBody: kind, atOnce: 4 }),
    ]),
  ),
};

/** Twenty of one account who read an ended batch of 2,000. */
async function readersOf(
  { accountId, token }: Customer,
  { connection: { db } }: Stack,
  type: CheckType,
  how: string,
): Promise<Din> {
  // As many as it takes for one of each type.
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
 * How long GET /credits of one account takes at p99 while another sends, as fast as its limits allow, what is dear to
 * read, against quiet, in turn, with the limits of a fresh installation.
 */
export async function* benchLoud(only: string): AsyncGenerator<Figure> {
  const outside = await startOutside();
  const stack = await startStack({ RATE_LIMIT_PER_MINUTE: '600', CHECK_CONCURRENCY: '100' });
  await waitsOf(stack);
  try {
    for (const [what, noise] of Object.entries(noises)) {
      if (!what.includes(only)) continue;
      const taken: Round[] = [];
      for (let round = 0; round < rounds; round++) {
        const quiet = await waitsOf(stack);
        const loud = await stack.customer(1_000_000);
        const { hush, ...crowdOfOne } = await noise(loud, stack, outside);
        const crowd = await startNoise(loud, stack, crowdOfOne);
        await pause(settleMs);
        const beside = await waitsOf(stack);
        taken.push({ quiet, beside, statuses: await disperse(crowd) });
        hush?.();
        await pause(settleMs);
      }
      yield figureOf(what, taken);
    }
  } finally {
    await stack.stop();
    await outside.stop();
  }
}

function startNoise({ token }: Customer, { baseUrl }: Stack, noise: Partial<Crowd>): Promise<TestProcess> {
  return startCrowd({ baseUrl: `${baseUrl}/api/v1`, callers: [{ token }], atOnce: 1, path: '', ...noise });
}

/** Milliseconds of each of many requests of a new account, each begun a moment after the one before is answered. */
async function waitsOf(stack: Stack): Promise<number[]> {
  const victim = await stack.customer(1);
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
  /** What the loud account was answered, by status. */
  statuses: object;
}

function figureOf(what: string, taken: Round[]): Figure {
  const of = (when: 'quiet' | 'beside', share: number) => taken.map((round) => quantile(round[when], share));
  const against = (share: number) => `${spread(of('beside', share))} against ${spread(of('quiet', share))}`;
  const [besideMs, quietMs] = [median(of('beside', 0.99)), median(of('quiet', 0.99))];
  return {
    what: `p99 of others beside ${what}`,
    value: `${(besideMs / quietMs).toFixed(2)} × — p99 ${against(0.99)}; p50 ${against(0.5)}; ${taken
      .map(({ statuses }) => JSON.stringify(statuses))
      .join(' ')}`,
    bar: `≤ ${p99Max}, or ≤ ${p99MaxMs} ms`,
    isMet: besideMs <= Math.max(p99Max * quietMs, p99MaxMs),
  };
}
