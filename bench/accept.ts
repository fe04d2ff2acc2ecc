import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { splitIntoChunks } from '../batches/accept.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as ledger from '../db/ledger/ledger.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { createBoss, enqueueChunks } from '../db/queue/queue.ts';
import { type Figure, median, quantile, ratio, spread } from './figures.ts';
import { urls } from './site.ts';
import type { Customer, Stack } from './stack.ts';

const rounds = 150;
const crowdRounds = 60;
/** Rounds before the first that counts: a process that has just begun is slower, and so is what stands beside it. */
const warmUp = 50;
const clients = 8;
const promisedMs = 200;

/** Accepting 2,000 URLs over HTTP, against the bare transaction with the same statements. */
export async function benchAcceptance(stack: Stack): Promise<Figure[]> {
  const list = urls(9, 2000);
  const customer = await stack.customer(10_000_000);
  const post = poster(stack, JSON.stringify({ urls: list }));
  const { database } = stack.config;
  const boss = createBoss({ url: database.url, backend: database.backend, max: 1, role: 'web' });
  await boss.start();
  const bare = bareTransaction(stack, boss, customer, list);

  const overHttp: number[] = [];
  const bareOnes: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const [postMs, bareMs] = [await post(customer), await bare()];
    if (round < 0) continue;
    overHttp.push(postMs);
    bareOnes.push(bareMs);
  }
  const together = await Promise.all(
    Array.from({ length: clients }, async () => {
      const own = await stack.customer(10_000_000);
      const times: number[] = [];
      for (let round = 0; round < crowdRounds; round++) times.push(await post(own));
      return times;
    }),
  );
  const all = together.flat();
  await boss.stop({ graceful: false });
  await sql`delete from pgboss.job`.execute(stack.connection.db);
  return [
    ratio('accepting 2,000 URLs, against the bare transaction', [median(overHttp), median(bareOnes)], {
      atMost: 1.7,
      note: `${spread(overHttp)} against ${spread(bareOnes)}`,
    }),
    ratio(`the same with ${clients} clients: p99 against median`, [quantile(all, 0.99), median(all)], {
      atMost: 3,
      note: `median ${median(all).toFixed(0)} ms, p99 ${quantile(all, 0.99).toFixed(0)} ms`,
    }),
    {
      what: 'the promised 200 ms: p99 of one client',
      value: `${quantile(overHttp, 0.99).toFixed(0)} ms`,
      bar: `≤ ${promisedMs} ms`,
      isMet: quantile(overHttp, 0.99) <= promisedMs,
    },
  ];
}

/** Sends a body that was made beforehand, as all that the bare transaction writes is. */
function poster({ baseUrl }: Stack, body: string): (who: Customer) => Promise<number> {
  return async ({ token }) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const startedMs = performance.now();
    const response = await fetch(`${baseUrl}/api/v1/http-status/bulk`, { method: 'POST', headers, body });
    await response.json();
    if (response.status !== 202) throw new Error(`answered ${response.status}`);
    return performance.now() - startedMs;
  };
}

/** The statements of an acceptance on a connection of our own, with everything prepared beforehand. */
function bareTransaction(
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
      await batches.create(trx, {
        accountId,
        batchId,
        type: 'http',
        firstRequestId: firstId - list.length,
        total: list.length,
        skipped: 0,
        duplicates: 0,
        options: {},
        reference: null,
        webhookUrl: null,
        retryOf: null,
      });
      await chunks.create(trx, newChunks);
      const price = list.length;
      const chunkCount = newChunks.length;
      const charged = await batches.charge(trx, { accountId, batchId, type: 'http', price, chunkCount });
      await enqueueChunks(boss, trx, 'http', charged?.jobs ?? []);
    });
    return performance.now() - startedMs;
  };
}
