import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Figure, median, ratio, spread } from './figures.ts';
import { siteUrls } from './site.ts';
import type { Customer, Stack } from './stack.ts';
import { startSite, timeBatch } from './throughput.ts';

const backlog = 200_000;
const rounds = 10;
const msMax = 1000;
const warmUpMs = 5_000;
const measuredMs = 10_000;

/** Measures how 200,000 queued items of one account affect a worker's memory and another account's batches of ten. */
export async function benchBacklog(stack: Stack): Promise<Figure[]> {
  const site = await startSite(5);
  const port = Number(site.said);
  const silentServer = await startSilentServer();
  const answering = await measureBacklog(stack, port, (index) => siteUrls(port, 2000, `b${index}`));
  const silent = await measureBacklog(stack, port, (index) => siteUrls(silentServer.port, 2000, `b${index}`));
  silentServer.server.close();
  await site.stop();
  return [
    ratio(
      "a worker's memory with 200,000 items queued, against 2,000",
      [answering.memoryFull, answering.memoryFew],
      {
        atMost: 1.2,
        note: `${answering.memoryFull.toFixed(0)} MiB against ${answering.memoryFew.toFixed(0)} MiB`,
      },
    ),
    toFigure('ten URLs beside 200,000 of another account', answering.times),
    toFigure('the same when the 200,000 never answer', silent.times),
  ];
}

function toFigure(what: string, times: number[]): Figure {
  const slowest = Math.max(...times);
  return { what, value: spread(times), bar: `≤ ${msMax} ms, each`, isMet: slowest <= msMax };
}

/** Measures the worker's memory and the other account's batches. `batch` returns the n-th URL list of the backlog. */
async function measureBacklog(
  stack: Stack,
  port: number,
  batch: (index: number) => string[],
): Promise<{ memoryFew: number; memoryFull: number; times: number[] }> {
  const busy = await stack.createCustomer(backlog * 2);
  const other = await stack.createCustomer(10_000);
  const worker = await stack.startWorker();
  // Warms up first, so that the measurements differ in the queue and not in the size of the heap.
  await keepBusy(stack, busy, batch(0), warmUpMs);
  const memoryFew = await memoryDuring(worker.pid, () => keepBusy(stack, busy, batch(0), measuredMs));
  for (let index = 1; index <= backlog / 2000; index++)
    await stack.post(busy, '/http-status/bulk', { urls: batch(index) });
  const times: number[] = [];
  const memoryFull = await memoryDuring(worker.pid, async () => {
    for (let round = 0; round < rounds; round++) {
      times.push(await timeBatch(stack, other, port, 10));
      await pause(measuredMs / rounds);
    }
  });
  await sql`delete from pgboss.job`.execute(stack.connection.db);
  await worker.stop();
  await sql`delete from pgboss.job`.execute(stack.connection.db);
  return { memoryFew, memoryFull, times };
}

/** Keeps at most 2,000 items queued for `forMs`, then cancels the remaining items. */
async function keepBusy(stack: Stack, customer: Customer, list: string[], forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const { body } = await stack.post(customer, '/http-status/bulk', { urls: list });
    await Promise.race([
      stack.waitUntilEnded(customer, String(body.batch_id)),
      pause(until - performance.now()),
    ]);
    await stack.post(customer, `/batch/${body.batch_id}/cancel`, {});
  }
}

/** Returns the median resident memory in MiB while `callback` runs. */
async function memoryDuring(pid: number, callback: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  const sample = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
    if (kilobytes) samples.push(Number(kilobytes) / 1024);
  };
  const timer = setInterval(() => void sample(), 200);
  await callback();
  clearInterval(timer);
  return median(samples);
}

/** Accepts connections on all interfaces and never responds. */
async function startSilentServer(): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, server };
}
