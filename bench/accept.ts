import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { splitIntoChunks } from '../batches/accept.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as ledger from '../db/ledger/ledger.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { createBoss, enqueueChunks } from '../db/queue/queue.ts';
import { plainBatch } from '../test/support/accept.ts';
import { type Figure, median, quantile, ratio, spread } from './figures.ts';
import { siteUrls } from './site.ts';
import type { Customer, Stack } from './stack.ts';

const rounds = 150;
const concurrentRounds = 60;
/** Number of rounds that are not measured, because new processes are slower. */
const warmUp = 50;
const clients = 8;
const p99MaxMs = 200;

/** Measures accepting 2,000 URLs over HTTP, against a bare transaction with the same statements. */
export async function benchAcceptance(stack: Stack): Promise<Figure[]> {
  const list = siteUrls(9, 2000);
  const customer = await stack.createCustomer(10_000_000);
  const post = createPoster(stack, JSON.stringify({ urls: list }));
  const { database } = stack.config;
  const boss = createBoss({ url: database.url, backend: database.backend, max: 1, role: 'web' });
  await boss.start();
  const runBare = createBareTransaction(stack, boss, customer, list);

  const overHttp: number[] = [];
  const bareTimes: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const [postMs, bareMs] = [await post(customer), await runBare()];
    if (round < 0) continue;
    overHttp.push(postMs);
    bareTimes.push(bareMs);
  }
  const concurrent = await Promise.all(
    Array.from({ length: clients }, async () => {
      const own = await stack.createCustomer(10_000_000);
      const times: number[] = [];
      for (let round = 0; round < concurrentRounds; round++) times.push(await post(own));
      return times;
    }),
  );
  const all = concurrent.flat();
  await boss.stop({ graceful: false });
  await sql`delete from pgboss.job`.execute(stack.connection.db);
  return [
    ratio('accepting 2,000 URLs, against the bare transaction', [median(overHttp), median(bareTimes)], {
      atMost: 1.7,
      note: `${spread(overHttp)} against ${spread(bareTimes)}`,
    }),
    ratio(`the same with ${clients} clients: p99 against median`, [quantile(all, 0.99), median(all)], {
      atMost: 3,
      note: `median ${median(all).toFixed(0)} ms, p99 ${quantile(all, 0.99).toFixed(0)} ms`,
    }),
    {
      what: 'p99 of one client',
      value: `${quantile(overHttp, 0.99).toFixed(0)} ms`,
      bar: `≤ ${p99MaxMs} ms`,
      isMet: quantile(overHttp, 0.99) <= p99MaxMs,
    },
  ];
}

/** Returns a function that posts a prepared body and measures milliseconds. */
function createPoster({ baseUrl }: Stack, body: string): (customer: Customer) => Promise<number> {
  return async ({ token }) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const startedMs = performance.now();
    const response = await fetch(`${baseUrl}/api/v1/http-status/bulk`, { method: 'POST', headers, body });
    await response.json();
    if (response.status !== 202) throw new Error(`answered ${response.status}`);
    return performance.now() - startedMs;
  };
}

/** Returns a function that runs the statements that accept a batch, and measures milliseconds. */
function createBareTransaction(
  stack: Stack,
  boss: PgBoss,
  { accountId }: Customer,
  list: string[],
): () => Promise<number> {
  let firstId = 1_000_000_000;
  return async () => {
    const batchId = randomUUID();
    const inputs = list.map((url, position) => ({ position, input: { url } }));
    const newChunks = splitIntoChunks('http', inputs).map((slice, ordinal) => ({
      accountId,
      batchId,
      chunkId: firstId + ordinal * 50,
      type: 'http' as const,
      ordinal,
      inputs: slice.map(({ position, input }) => ({ request_id: firstId + position, position, input })),
    }));
    firstId += list.length;
    const startedMs = performance.now();
    await inTransaction(stack.connection.db, async (trx) => {
      await ledger.balance(trx, accountId);
      const firstRequestId = firstId - list.length;
      const { length: total } = list;
      await batches.create(trx, { ...plainBatch, accountId, batchId, firstRequestId, total });
      await chunks.create(trx, newChunks);
      const price = list.length;
      const chunkCount = newChunks.length;
      const charged = await batches.charge(trx, { accountId, batchId, type: 'http', price, chunkCount });
      await enqueueChunks(boss, trx, 'http', charged?.jobs ?? []);
    });
    return performance.now() - startedMs;
  };
}
