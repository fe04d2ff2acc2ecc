import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, median } from './figures.ts';
import { hostileInputs } from './hostile-site.ts';
import { startInOwnSession } from './processes.ts';
import { type Customer, type Stack, startStack } from './stack.ts';

const requestMaxMs = 500;
const batchFactorMax = 10;
const growthMaxMb = 200;
const atOnce = 4;
const rounds = 2;
const everyMs = 10;

interface Target {
  kind: 'page' | 'sitemap';
  url: string;
  /** URLs of the loud account, each on a different host. */
  urls: string[];
  quickUrls: string[];
}

type Readers = Record<'web' | 'worker', (stack: Stack, loud: Customer, target: Target) => Promise<void>>;

/** Functions that make web or worker read a page or a sitemap. */
const readers: Record<Target['kind'], Readers> = {
  page: {
    web: async (stack, loud, { urls }) => {
      await Promise.all(urls.map((url) => stack.post(loud, '/http-status', { url })));
    },
    worker: async (stack, loud, { urls }) => {
      const { body } = await stack.post(loud, '/http-status/bulk', { urls: [...urls, ...urls, ...urls] });
      await stack.waitUntilEnded(loud, String(body.batch_id));
    },
  },
  sitemap: {
    web: async (stack, loud, { url }) => {
      await Promise.all(Array.from({ length: atOnce }, () => createMonitor(stack, loud, url)));
    },
    worker: async (stack, loud) => {
      const { db } = stack.connection;
      const loudMonitors = db
        .selectFrom('monitors')
        .select('monitorId')
        .where('accountId', '=', loud.accountId);
      // Resets the time of the last reading, because a monitor's sitemap is read at most once an hour.
      await db
        .updateTable('monitors')
        .set({ sitemapReadAt: null })
        .where('accountId', '=', loud.accountId)
        .execute();
      for (const { monitorId } of await loudMonitors.execute())
        await stack.post(loud, `/monitors/${monitorId}/run`, {});
      const preparing = db
        .selectFrom('monitorRuns')
        .select('runId')
        .where('accountId', '=', loud.accountId)
        .where('status', '=', 'preparing');
      while (await preparing.executeTakeFirst()) await pause(20);
    },
  },
};

function createMonitor(stack: Stack, loud: Customer, url: string) {
  const body = { name: 'Loud', type: 'http', sitemap_url: url, schedule: { every: 'month' } };
  return stack.post(loud, '/monitors', body);
}

/**
 * Measures another account while web or worker reads hostile input. Measures its slowest request, and its slowest batch
 * of ten compared with its median batch before the input. Also measures the memory growth of the process.
 */
export async function* benchHostile(only: string): AsyncGenerator<Figure> {
  const stack = await startStack({ CHECK_CONCURRENCY: '100' });
  try {
    const worker = await stack.startWorker();
    const pids = { web: stack.webPid, worker: worker.pid };
    for (const what of Object.keys(hostileInputs)) {
      if (!what.includes(only)) continue;
      for (const process of ['web', 'worker'] as const) yield await measure(stack, pids, { what, process });
    }
  } finally {
    await stack.stop();
  }
}

async function measure(
  stack: Stack,
  pids: Record<'web' | 'worker', number>,
  { what, process }: { what: string; process: 'web' | 'worker' },
): Promise<Figure> {
  const site = await startInOwnSession(['bench/hostile-site.ts', what], {}, /ready (\d+)\n/);
  try {
    const target = createTarget(what, Number(site.said));
    const [loud, victim] = [await stack.createCustomer(100_000), await stack.createCustomer(100_000)];
    if (target.kind === 'sitemap' && process === 'worker') {
      for (let n = 0; n < atOnce; n++) await createMonitor(stack, loud, target.url);
    }
    const quiet: number[] = [];
    for (let round = 0; round < 5; round++) quiet.push(await batchOfTen(stack, victim, target));
    await fetch(`${new URL(target.url).origin}/begin`);
    const before = readMemory(pids[process]);
    const worst = { requestMs: 0, batchMs: 0, megabytes: 0 };
    let isOver = false;
    const noise = (async () => {
      for (let round = 0; round < rounds; round++) await readers[target.kind][process](stack, loud, target);
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([
      noise,
      repeat(async () => {
        worst.requestMs = Math.max(worst.requestMs, await timed(() => stack.get(victim, '/credits')));
        worst.megabytes = Math.max(worst.megabytes, readMemory(pids[process]) - before);
        await pause(everyMs);
      }),
      repeat(async () => {
        worst.batchMs = Math.max(worst.batchMs, await batchOfTen(stack, victim, target));
      }),
    ]);
    return toFigure(`${what}, by ${process}`, worst, median(quiet));

    async function repeat(callback: () => Promise<void>): Promise<void> {
      do await callback();
      while (!isOver);
    }
  } finally {
    await site.stop();
  }
}

function createTarget(what: string, port: number): Target {
  const input = hostileInputs[what]?.();
  if (!input) throw new Error(`Unknown input: ${what}.`);
  const at = (host: string, path: string) => `http://${host}:${port}${path}`;
  return {
    kind: input.kind,
    url: at('127.0.3.1', input.path),
    urls: Array.from({ length: atOnce }, (_, n) => at(`127.0.3.${n + 1}`, input.path)),
    quickUrls: Array.from({ length: 10 }, (_, n) => at(`127.0.4.${n + 1}`, '/quick')),
  };
}

async function batchOfTen(stack: Stack, victim: Customer, { quickUrls }: Target): Promise<number> {
  const startedMs = performance.now();
  const { body } = await stack.post(victim, '/http-status/bulk', { urls: quickUrls });
  await stack.waitUntilEnded(victim, String(body.batch_id));
  return performance.now() - startedMs;
}

async function timed(callback: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await callback();
  return performance.now() - startedMs;
}

/** Returns the resident memory of a process in MB. */
function readMemory(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1000;
}

function toFigure(
  what: string,
  { requestMs, batchMs, megabytes }: { requestMs: number; batchMs: number; megabytes: number },
  quietMs: number,
): Figure {
  const isMet = requestMs < requestMaxMs && batchMs <= batchFactorMax * quietMs && megabytes < growthMaxMb;
  return {
    what,
    value: `others' slowest request ${requestMs.toFixed(0)} ms, slowest batch of ten ${batchMs.toFixed(0)} ms (quiet ${quietMs.toFixed(0)} ms), memory +${megabytes.toFixed(0)} MB`,
    bar: `< ${requestMaxMs} ms, ≤ ${batchFactorMax} ×, < ${growthMaxMb} MB`,
    isMet,
  };
}
