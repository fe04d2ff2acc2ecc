import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/config.ts';
import { deadlines } from '../config/deadlines.ts';
import { deliverySlots } from '../worker/jobs/deliver-webhook.ts';
import { fillAccount } from './dashboard-rows.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { type OutsideServers, startCrowd, startOutsideServers, stopCrowd } from './processes.ts';
import { type Customer, type Stack, startStack } from './stack.ts';

/** Numbers of greedy accounts beside the victim. */
const sizes = [1, 4, 10, 100];
/** Maximum ratio of the measured time to the fair time: an account must get at least a third of its fair share. */
const shareMissedMax = 3;
const quietPieces = 9;
const warmUp = 5;
const settleMs = 2500;

/** Check slots; `forNewcomers` are reserved for accounts that hold no slot. */
const slots = { all: 100, forNewcomers: 15 };
const checkTimeoutMs = 15_000;
const providerSlots = 20;

/** A kind of work of a victim account, beside greedy accounts that request as much as they can. */
interface Scenario {
  what: string;
  /** Does one piece of the victim's work and returns its milliseconds; rejects if it fails. */
  work(victim: Customer): Promise<number>;
  /** Starts the load of greedy accounts. Resolves when it has an effect, with a function that stops it. */
  startLoad(greedy: Customer[]): Promise<() => Promise<unknown>>;
  /** Returns the fair time of one piece beside `n` greedy accounts. */
  fairMs(n: number, quietMs: number): number;
  rounds: number;
  /** Number of concurrent victims, each with its own account; 1 by default. */
  victims?: number;
}

const kinds: Record<string, () => Promise<Figure[]>> = {
  bulk: benchBulk,
  singles: benchSingles,
  searches: benchSearches,
  deliveries: benchDeliveries,
  reads: benchReads,
};

/**
 * Measures the share of an account beside 1, 4, 10 and 100 others that request as much as they can. Each kind of work
 * has its own stack, so that unfinished work of one kind does not affect the next kind.
 */
export async function* benchNeighbours(only: string): AsyncGenerator<Figure> {
  for (const [kind, bench] of Object.entries(kinds)) if (kind.includes(only)) yield* await bench();
}

/** Measures ten URLs beside batches of 2,000 whose targets are slow or never respond. */
async function benchBulk(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const load of [
    { what: 'slow', path: 'slow', freeAfterMs: 1000 },
    { what: 'silent', path: 'hang', freeAfterMs: checkTimeoutMs },
  ])
    figures.push(...(await besideBatches(load)));
  return figures;
}

interface BatchLoad {
  what: string;
  path: string;
  /** Longest time until one of the busy slots becomes free. */
  freeAfterMs: number;
}

function besideBatches({ what, path, freeAfterMs }: BatchLoad): Promise<Figure[]> {
  return withStack({ CHECK_CONCURRENCY: String(slots.all) }, { slowMs: 1000 }, async (stack, { port }) => {
    await stack.startWorker();
    const victimUrls = Array.from({ length: 10 }, (_, index) => `http://127.1.1.${index + 1}:${port}/quick`);
    const targets = (account: number) =>
      Array.from({ length: 2000 }, (_, index) => `http://${toHost(account, index)}:${port}/${path}/${index}`);
    return measureBeside(stack, {
      what: `ten URLs, others' targets ${what},`,
      rounds: 7,
      work: (victim) =>
        timed(async () => {
          const { body } = await stack.post(victim, '/http-status/bulk', { urls: victimUrls });
          await stack.waitUntilEnded(victim, String(body.batch_id));
        }),
      startLoad: async (greedy) => {
        const batches = await Promise.all(
          greedy.map((one, index) => stack.post(one, '/http-status/bulk', { urls: targets(index + 1) })),
        );
        await pause(settleMs);
        return async () => {
          const cancel = ({ body }: (typeof batches)[number], index: number) =>
            stack.post(greedy[index] as Customer, `/batch/${body.batch_id}/cancel`, {});
          await Promise.all(batches.map(cancel));
          await pause(settleMs);
        };
      },
      fairMs: (n, quietMs) =>
        (n < slots.forNewcomers ? 0 : freeAfterMs) +
        quietMs * Math.max(1, (victimUrls.length * (n + 1)) / slots.all),
    });
  });
}

/**
 * Measures a single check beside accounts that each have twenty checks in flight. The targets of these checks never
 * respond.
 */
function benchSingles(): Promise<Figure[]> {
  return withStack({ CHECK_CONCURRENCY: String(slots.all) }, {}, (stack, outside) =>
    measureBeside(stack, {
      what: 'a single check',
      rounds: 7,
      work: (victim) => single(stack, victim, '/http-status', `http://127.1.1.1:${outside.port}/quick`),
      startLoad: async (greedy) => {
        await outside.hold();
        const body = `{"url":"http://127.{a}.2.{h}:${outside.port}/hang/{n}"}`;
        const crowd = await startGreedyCrowd(stack, greedy, { path: '/http-status', body });
        // Waits until the first checks of these accounts hold slots; each account starts twenty checks.
        await pause(settleMs + 60 * greedy.length);
        return async () => {
          await outside.release();
          await stopCrowd(crowd);
        };
      },
      fairMs: (n, quietMs) =>
        (n < slots.forNewcomers ? 0 : checkTimeoutMs) + quietMs * Math.max(1, (n + 1) / slots.all),
    }),
  );
}

/** Measures a single search beside accounts with twenty searches in flight each, at a provider with twenty slots. */
function benchSearches(): Promise<Figure[]> {
  const searchMs = 400;
  const env = (port: number) => ({
    SERP_PROVIDERS: 'serper',
    SERPER_API_KEY: 'bench',
    SERPER_BASE_URL: `http://127.0.0.1:${port}`,
    PROVIDER_CONCURRENCY: String(providerSlots),
  });
  return withStack(env, { searchMs }, (stack) =>
    measureBeside(stack, {
      what: 'a single search',
      rounds: 7,
      work: (victim) => single(stack, victim, '/check', `https://indexed-${randomUUID()}.example/`),
      startLoad: async (greedy) => {
        const body = '{"url":"https://indexed-{a}-{n}.example/"}';
        const crowd = await startGreedyCrowd(stack, greedy, { path: '/check', body });
        await pause(settleMs + 40 * greedy.length);
        return () => stopCrowd(crowd);
      },
      // Each greedy account gets one call before the victim.
      fairMs: (n, quietMs) => quietMs + (n * searchMs) / providerSlots,
    }),
  );
}

/** Measures the time from the end of a batch to its webhook, beside accounts whose receivers hang. */
async function benchDeliveries(): Promise<Figure[]> {
  const receiver = await startReceiver();
  return withStack({}, {}, async (stack, outside) => {
    const worker = await stack.startWorker();
    const submit = (customer: Customer, host: string, webhook: string) =>
      stack.post(customer, '/http-status/bulk', {
        urls: [`http://${host}:${outside.port}/quick`],
        webhook_url: webhook,
      });
    const figures = await measureBeside(stack, {
      what: 'a webhook',
      rounds: 2,
      victims: 3,
      work: async (victim) => {
        const { url, arrived } = receiver.expect();
        const { body } = await submit(victim, '127.1.1.1', url);
        return (await arrived) - (await getEndMs(stack, victim, String(body.batch_id)));
      },
      startLoad: async (greedy) => {
        // Sends more deliveries per account than an account has slots. With many accounts, fewer deliveries are enough
        // to fill all slots. The accounts alternate, so that no account comes first.
        for (let round = 0; round < (greedy.length < 20 ? 16 : 4); round++)
          await Promise.all(
            greedy.map((one, index) => {
              const host = toHost(index + 1, round);
              return submit(one, host, `http://${host}:${outside.port}/hang/hook`);
            }),
          );
        await pause(settleMs);
        return async () => {
          await outside.release();
          await pause(settleMs);
          await outside.hold();
        };
      },
      fairMs: (n, quietMs) =>
        quietMs +
        (n < deliverySlots.total - deliverySlots.reserved
          ? 0
          : ((n + 1) * deadlines.deliveryMs) / deliverySlots.total),
    });
    // Deliveries that still hang would delay a normal stop.
    worker.kill('SIGKILL');
    return figures;
  }).finally(() => receiver.close());
}

/** Measures a read beside accounts that read results of 2,000 rows without a pause. */
function benchReads(): Promise<Figure[]> {
  return withStack({}, {}, async (stack) => {
    const batchIds = new Map<number, string>();
    const page = async (victim: Customer) => {
      const batchId = batchIds.get(victim.accountId) ?? (await createEndedBatch(stack, victim, 100));
      batchIds.set(victim.accountId, batchId);
      return timed(() => stack.get(victim, `/batch/${batchId}`));
    };
    return measureBeside(stack, {
      what: 'a result of 100 rows',
      work: page,
      rounds: 9,
      startLoad: async (greedy) => {
        const callers = greedy.map(async (one) => ({ ...one, id: await createEndedBatch(stack, one, 2000) }));
        const options = { path: '/batch/{id}', atOnce: 4 };
        const crowd = await startGreedyCrowd(stack, await Promise.all(callers), options);
        await pause(settleMs);
        return async () => {
          crowd.kill('SIGKILL');
          await crowd.ended;
          await pause(settleMs);
        };
      },
      // All accounts share one web process.
      fairMs: (n, quietMs) => quietMs * (n + 1),
    });
  });
}

/** Measures a scenario in quiet, then beside each number of greedy accounts. */
async function measureBeside(stack: Stack, scenario: Scenario): Promise<Figure[]> {
  const { victims = 1 } = scenario;
  await measureWork(stack, scenario, warmUp, 1);
  // Uses as many new victims as beside the crowds, so that only the neighbours differ.
  const quietMs = median(await measureWork(stack, scenario, Math.ceil(quietPieces / victims), victims));
  const figures: Figure[] = [];
  for (const n of sizes) {
    const greedy = await Promise.all(Array.from({ length: n }, () => stack.createCustomer(1_000_000)));
    const stopLoad = await scenario.startLoad(greedy);
    const times = await measureWork(stack, scenario, scenario.rounds, victims);
    await stopLoad();
    figures.push(toFigure(scenario, { n, quietMs, times }));
  }
  return figures;
}

async function measureWork(
  stack: Stack,
  scenario: Scenario,
  rounds: number,
  victims: number,
): Promise<number[]> {
  const each = Array.from({ length: victims }, async () => {
    const victim = await stack.createCustomer(10_000);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(await scenario.work(victim).catch(() => Number.POSITIVE_INFINITY));
      await pause(20);
    }
    return times;
  });
  return (await Promise.all(each)).flat();
}

function toFigure(
  { what, fairMs }: Scenario,
  { n, quietMs, times }: { n: number; quietMs: number; times: number[] },
): Figure {
  const fair = fairMs(n, quietMs);
  const note = `${spread(times)}, fair ${fair.toFixed(0)} ms, quiet ${quietMs.toFixed(1)} ms`;
  return ratio(`${what} beside ${n}`, [median(times), fair], { atMost: shareMissedMax, note });
}

/** Runs `callback` with a stack and outside servers, and stops both afterwards. */
async function withStack<T>(
  env: Environment | ((outsidePort: number) => Environment),
  outsideOptions: Parameters<typeof startOutsideServers>[0],
  callback: (stack: Stack, outside: OutsideServers) => Promise<T>,
): Promise<T> {
  const outside = await startOutsideServers(outsideOptions);
  const stack = await startStack(typeof env === 'function' ? env(outside.port) : env);
  try {
    return await callback(stack, outside);
  } finally {
    await stack.stop();
    await outside.stop();
  }
}

function startGreedyCrowd(
  { baseUrl }: Stack,
  callers: Array<{ token: string; id?: string }>,
  options: { path: string; body?: string; atOnce?: number },
) {
  return startCrowd({
    baseUrl: `${baseUrl}/api/v1`,
    callers: callers.map(({ token, id }) => ({ token, id })),
    atOnce: 20,
    ...options,
  });
}

function single(stack: Stack, victim: Customer, path: string, url: string): Promise<number> {
  return timed(async () => {
    const { status } = await stack.post(victim, path, { url });
    if (status !== 200) throw new Error(`answered ${status}`);
  });
}

/** Returns a loopback address for each target of an account, so that limits per host do not matter. */
function toHost(account: number, index: number): string {
  return `127.${account + 1}.${Math.floor(index / 250) + 1}.${(index % 250) + 1}`;
}

/** Creates an ended batch of `rows` items and returns its id. */
async function createEndedBatch(
  { connection: { db } }: Stack,
  { accountId }: Customer,
  rows: number,
): Promise<string> {
  await fillAccount(db, accountId, 1, rows);
  const batches = db.selectFrom('batches').select('batchId').where('accountId', '=', accountId);
  return (await batches.executeTakeFirstOrThrow()).batchId;
}

/** Returns the end time of a batch in milliseconds. It is read from the database, because the API has whole seconds. */
async function getEndMs({ connection: { db } }: Stack, victim: Customer, batchId: string): Promise<number> {
  const { completedAt } = await db
    .selectFrom('batches')
    .select('completedAt')
    .where('accountId', '=', victim.accountId)
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  return completedAt?.getTime() ?? Number.NaN;
}

/** Receives webhooks, each at a different path, and resolves with the time of arrival. */
async function startReceiver() {
  const expected = new Map<string, (atMs: number) => void>();
  const server = createServer((req, res) => {
    expected.get(req.url ?? '')?.(Date.now());
    req.resume();
    res.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let count = 0;
  return {
    expect: () => {
      const path = `/hook/${++count}`;
      const arrived = new Promise<number>((resolve) => expected.set(path, resolve));
      return { url: `http://127.0.0.1:${port}${path}`, arrived };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function timed(callback: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await callback();
  return performance.now() - startedMs;
}
