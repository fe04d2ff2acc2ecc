import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/config.ts';
import { deadlines } from '../config/deadlines.ts';
import { fillAccount } from './dashboard-rows.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { disperse, type Outside, startCrowd, startOutside } from './processes.ts';
import { type Customer, type Stack, startStack } from './stack.ts';

/** How many greedy accounts there are. */
const sizes = [1, 4, 10, 100];
/** An account gets at least a third of its fair share. */
const shareMissedMax = 3;
const quietPieces = 9;
const warmUp = 5;
const settleMs = 2500;

/** Check slots, and those that only accounts that hold none are given. */
const slots = { all: 100, forNewcomers: 15 };
const checkTimeoutMs = 15_000;
const providerPlaces = 20;
const deliveryPlaces = { all: 60, forNewcomers: 12 };

/** What an account does, beside others that ask for all they can, and how long one piece of it may take. */
interface Neighbourhood {
  what: string;
  /** One piece of the victim's work; rejects when there was no answer. Milliseconds. */
  work(victim: Customer): Promise<number>;
  /** Makes accounts ask for all they can; resolves when that shows, with the way to end it. */
  gather(greedy: Customer[]): Promise<() => Promise<unknown>>;
  /** The fair time of one piece beside n of them, in terms of the quiet time. */
  fairMs(n: number, quietMs: number): number;
  rounds: number;
  /** Pieces asked for at the same time, each by a victim of its own; one unless told otherwise. */
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
 * Measures what an account gets beside 1, 4, 10 and 100 others that ask for as much as they can. Each kind of work has
 * a stack of its own, so that what a crowd leaves behind is not measured with the next.
 */
export async function* benchNeighbours(only: string): AsyncGenerator<Figure> {
  for (const [kind, bench] of Object.entries(kinds)) if (kind.includes(only)) yield* await bench();
}

/** Ten URLs beside batches of 2,000 whose targets are slow, or never answer. */
async function benchBulk(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const greed of [
    { what: 'slow', path: 'slow', freeAfterMs: 1000 },
    { what: 'silent', path: 'hang', freeAfterMs: checkTimeoutMs },
  ])
    figures.push(...(await besideBatches(greed)));
  return figures;
}

interface Greed {
  what: string;
  path: string;
  /** The longest that all slots are held with none that becomes free. */
  freeAfterMs: number;
}

function besideBatches({ what, path, freeAfterMs }: Greed): Promise<Figure[]> {
  return within({ CHECK_CONCURRENCY: String(slots.all) }, { slowMs: 1000 }, async (stack, { port }) => {
    await stack.startWorker();
    const mine = Array.from({ length: 10 }, (_, index) => `http://127.1.1.${index + 1}:${port}/quick`);
    const targets = (account: number) =>
      Array.from({ length: 2000 }, (_, index) => `http://${hostOf(account, index)}:${port}/${path}/${index}`);
    return measureBeside(stack, {
      what: `ten URLs, others' targets ${what},`,
      rounds: 7,
      work: (victim) =>
        timed(async () => {
          const { body } = await stack.post(victim, '/http-status/bulk', { urls: mine });
          await stack.ended(victim, String(body.batch_id));
        }),
      gather: async (greedy) => {
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
        quietMs * Math.max(1, (mine.length * (n + 1)) / slots.all),
    });
  });
}

/** One check while the caller waits, beside accounts with twenty in flight whose targets never answer. */
function benchSingles(): Promise<Figure[]> {
  return within({ CHECK_CONCURRENCY: String(slots.all) }, {}, (stack, outside) =>
    measureBeside(stack, {
      what: 'a single check',
      rounds: 7,
      work: (victim) => single(stack, victim, '/http-status', `http://127.1.1.1:${outside.port}/quick`),
      gather: async (greedy) => {
        await outside.hold();
        const body = `{"url":"http://127.{a}.2.{h}:${outside.port}/hang/{n}"}`;
        const crowd = await crowdOf(stack, greedy, { path: '/http-status', body });
        // Until their first checks have their slots; each account begins twenty.
        await pause(settleMs + 60 * greedy.length);
        return async () => {
          await outside.release();
          await disperse(crowd);
        };
      },
      fairMs: (n, quietMs) =>
        (n < slots.forNewcomers ? 0 : checkTimeoutMs) + quietMs * Math.max(1, (n + 1) / slots.all),
    }),
  );
}

/** One search while the caller waits, beside accounts with twenty in flight, at a provider of twenty places. */
function benchSearches(): Promise<Figure[]> {
  const searchMs = 400;
  const env = (port: number) => ({
    SERP_PROVIDERS: 'serper',
    SERPER_API_KEY: 'bench',
    SERPER_BASE_URL: `http://127.0.0.1:${port}`,
    PROVIDER_CONCURRENCY: String(providerPlaces),
  });
  return within(env, { searchMs }, (stack) =>
    measureBeside(stack, {
      what: 'a single search',
      rounds: 7,
      work: (victim) => single(stack, victim, '/check', `https://indexed-${randomUUID()}.example/`),
      gather: async (greedy) => {
        const body = '{"url":"https://indexed-{a}-{n}.example/"}';
        const crowd = await crowdOf(stack, greedy, { path: '/check', body });
        await pause(settleMs + 40 * greedy.length);
        return () => disperse(crowd);
      },
      // One call of each other account first, at the pace at which places become free.
      fairMs: (n, quietMs) => quietMs + (n * searchMs) / providerPlaces,
    }),
  );
}

/** From the end of a batch until its webhook has arrived, beside accounts whose receivers hang. */
async function benchDeliveries(): Promise<Figure[]> {
  const receiver = await startReceiver();
  return within({}, {}, async (stack, outside) => {
    const worker = await stack.startWorker();
    const order = (who: Customer, host: string, webhook: string) =>
      stack.post(who, '/http-status/bulk', {
        urls: [`http://${host}:${outside.port}/quick`],
        webhook_url: webhook,
      });
    const figures = await measureBeside(stack, {
      what: 'a webhook',
      rounds: 2,
      victims: 3,
      work: async (victim) => {
        const { url, arrived } = receiver.expect();
        const { body } = await order(victim, '127.1.1.1', url);
        return (await arrived) - (await endOf(stack, victim, String(body.batch_id)));
      },
      gather: async (greedy) => {
        // More than one account may have under way; fewer for each of many, which fill every place all the same. One of
        // each account, then the next: none of them came first.
        for (let round = 0; round < (greedy.length < 20 ? 16 : 4); round++)
          await Promise.all(
            greedy.map((one, index) => {
              const host = hostOf(index + 1, round);
              return order(one, host, `http://${host}:${outside.port}/hang/hook`);
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
        (n < deliveryPlaces.all - deliveryPlaces.forNewcomers
          ? 0
          : ((n + 1) * deadlines.deliveryMs) / deliveryPlaces.all),
    });
    // What still hangs would keep it from stopping.
    worker.kill('SIGKILL');
    return figures;
  }).finally(() => receiver.close());
}

/** The balance, and a result of 100 rows, beside accounts that read results of 2,000 rows without a pause. */
function benchReads(): Promise<Figure[]> {
  return within({}, {}, async (stack) => {
    const own = new Map<number, string>();
    const beside = (what: string, work: Neighbourhood['work']): Neighbourhood => ({
      what,
      work,
      rounds: 9,
      gather: async (greedy) => {
        const callers = greedy.map(async (one) => ({ ...one, id: await filled(stack, one, 2000) }));
        const crowd = await crowdOf(stack, await Promise.all(callers), { path: '/batch/{id}', atOnce: 4 });
        await pause(settleMs);
        return async () => {
          crowd.kill('SIGKILL');
          await crowd.ended;
          await pause(settleMs);
        };
      },
      // The process that answers them all is what they share.
      fairMs: (n, quietMs) => quietMs * (n + 1),
    });
    const page = async (victim: Customer) => {
      const batchId = own.get(victim.accountId) ?? (await filled(stack, victim, 100));
      own.set(victim.accountId, batchId);
      return timed(() => stack.get(victim, `/batch/${batchId}`));
    };
    const balance = (victim: Customer) => timed(() => stack.get(victim, '/credits'));
    return [
      ...(await measureBeside(stack, beside('the balance', balance))),
      ...(await measureBeside(stack, beside('a result of 100 rows', page))),
    ];
  });
}

/** Measures a neighbourhood in quiet, then beside each size of crowd. */
async function measureBeside(stack: Stack, place: Neighbourhood): Promise<Figure[]> {
  const { victims = 1 } = place;
  await workOf(stack, place, warmUp, 1);
  // As many at once as beside the crowds, and as new: their own work is no neighbour's doing.
  const quietMs = median(await workOf(stack, place, Math.ceil(quietPieces / victims), victims));
  const figures: Figure[] = [];
  for (const n of sizes) {
    const greedy = await Promise.all(Array.from({ length: n }, () => stack.customer(1_000_000)));
    const leave = await place.gather(greedy);
    const times = await workOf(stack, place, place.rounds, victims);
    await leave();
    figures.push(figureOf(place, { n, quietMs, times }));
  }
  return figures;
}

async function workOf(
  stack: Stack,
  place: Neighbourhood,
  rounds: number,
  victims: number,
): Promise<number[]> {
  const each = Array.from({ length: victims }, async () => {
    const victim = await stack.customer(10_000);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(await place.work(victim).catch(() => Number.POSITIVE_INFINITY));
      await pause(20);
    }
    return times;
  });
  return (await Promise.all(each)).flat();
}

function figureOf(
  { what, fairMs }: Neighbourhood,
  { n, quietMs, times }: { n: number; quietMs: number; times: number[] },
): Figure {
  const fair = fairMs(n, quietMs);
  const note = `${spread(times)}, fair ${fair.toFixed(0)} ms, quiet ${quietMs.toFixed(1)} ms`;
  return ratio(`${what} beside ${n}`, [median(times), fair], { atMost: shareMissedMax, note });
}

/** Starts what lies outside and a stack for an act, and stops both after it. */
async function within<T>(
  env: Environment | ((outsidePort: number) => Environment),
  outsideOptions: Parameters<typeof startOutside>[0],
  act: (stack: Stack, outside: Outside) => Promise<T>,
): Promise<T> {
  const outside = await startOutside(outsideOptions);
  const stack = await startStack(typeof env === 'function' ? env(outside.port) : env);
  try {
    return await act(stack, outside);
  } finally {
    await stack.stop();
    await outside.stop();
  }
}

function crowdOf(
  { baseUrl }: Stack,
  callers: Array<{ token: string; id?: string }>,
  asked: { path: string; body?: string; atOnce?: number },
) {
  return startCrowd({
    baseUrl: `${baseUrl}/api/v1`,
    callers: callers.map(({ token, id }) => ({ token, id })),
    atOnce: 20,
    ...asked,
  });
}

function single(stack: Stack, victim: Customer, path: string, url: string): Promise<number> {
  return timed(async () => {
    const { status } = await stack.post(victim, path, { url });
    if (status !== 200) throw new Error(`answered ${status}`);
  });
}

/** A loopback address of its own for each of an account's targets, so that no limit of a host is in the way. */
function hostOf(account: number, index: number): string {
  return `127.${account + 1}.${Math.floor(index / 250) + 1}.${(index % 250) + 1}`;
}

/** Makes an ended batch of so many rows for an account. Returns its id. */
async function filled({ connection: { db } }: Stack, { accountId }: Customer, rows: number): Promise<string> {
  await fillAccount(db, accountId, 1, rows);
  const batches = db.selectFrom('batches').select('batchId').where('accountId', '=', accountId);
  return (await batches.executeTakeFirstOrThrow()).batchId;
}

/** When a batch ended, in milliseconds; the API has whole seconds. */
async function endOf({ connection: { db } }: Stack, victim: Customer, batchId: string): Promise<number> {
  const { completedAt } = await db
    .selectFrom('batches')
    .select('completedAt')
    .where('accountId', '=', victim.accountId)
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  return completedAt?.getTime() ?? Number.NaN;
}

/** Takes webhooks, each at a path of its own, and resolves with the time at which it came. */
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

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}
