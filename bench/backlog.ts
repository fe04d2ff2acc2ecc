import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Figure, median, ratio, spread } from './figures.ts';
import { urls } from './site.ts';
import type { Customer, Stack } from './stack.ts';
import { checkAll, startSite } from './throughput.ts';

const backlog = 200_000;
const rounds = 10;
const promisedMs = 1000;
const warmUpMs = 5_000;
const measuredMs = 10_000;

/** What 200,000 queued items of one account do to the memory of a worker and to another account's ten. */
export async function benchBacklog(stack: Stack): Promise<Figure[]> {
  const site = await startSite(5);
  const port = Number(site.said);
  const silence = await serveSilence();
  const answering = await withBacklog(stack, port, (index) => urls(port, 2000, `b${index}`));
  const silent = await withBacklog(stack, port, (index) => urls(silence.port, 2000, `b${index}`));
  silence.server.close();
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
    promise('ten URLs beside 200,000 of another account', answering.times),
    promise('the same when the 200,000 never answer', silent.times),
  ];
}

/** That another account's addresses are checked in time, each time. */
function promise(what: string, times: number[]): Figure {
  const slowest = Math.max(...times);
  return { what, value: spread(times), bar: `≤ ${promisedMs} ms, each`, isMet: slowest <= promisedMs };
}

/** A worker's memory and another account's ten, beside one that has very much; `batch` answers its n-th list. */
async function withBacklog(
  stack: Stack,
  port: number,
  batch: (index: number) => string[],
): Promise<{ memoryFew: number; memoryFull: number; times: number[] }> {
  const greedy = await stack.customer(backlog * 2);
  const modest = await stack.customer(10_000);
  const worker = await stack.startWorker();
  // As busy as later on, so that it is the queue that differs and not how far the heap has grown.
  await keepBusy(stack, greedy, batch(0), warmUpMs);
  const memoryFew = await memoryDuring(worker.pid, () => keepBusy(stack, greedy, batch(0), measuredMs));
  for (let index = 1; index <= backlog / 2000; index++)
    await stack.post(greedy, '/http-status/bulk', { urls: batch(index) });
  const times: number[] = [];
  const memoryFull = await memoryDuring(worker.pid, async () => {
    for (let round = 0; round < rounds; round++) {
      times.push(await checkAll(stack, modest, port, 10));
      await pause(measuredMs / rounds);
    }
  });
  // The rest of the backlog is of no more use.
  await sql`delete from pgboss.job`.execute(stack.connection.db);
  await worker.stop();
  await sql`delete from pgboss.job`.execute(stack.connection.db);
  return { memoryFew, memoryFull, times };
}

/** Never more than 2,000 items queued, for so long; what is left then is canceled. */
async function keepBusy(stack: Stack, customer: Customer, list: string[], forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const { body } = await stack.post(customer, '/http-status/bulk', { urls: list });
    await Promise.race([stack.ended(customer, String(body.batch_id)), pause(until - performance.now())]);
    await stack.post(customer, `/batch/${body.batch_id}/cancel`, {});
  }
}

/** Median resident memory in MiB while something goes on. */
async function memoryDuring(pid: number, act: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  const sample = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
    if (kilobytes) samples.push(Number(kilobytes) / 1024);
  };
  const timer = setInterval(() => void sample(), 200);
  await act();
  clearInterval(timer);
  return median(samples);
}

/** Takes every connection on loopback and never says a word. */
async function serveSilence(): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, server };
}
