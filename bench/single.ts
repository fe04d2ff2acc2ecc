import { Agent } from 'node:http';
import fetch from 'node-fetch';
import { settle } from '../batches/single-check.ts';
import { readPage } from '../checks/page/read-page.ts';
import { inTransaction } from '../db/connect.ts';
import * as ledger from '../db/ledger.ts';
import { createRequestIds } from '../db/request-ids.ts';
import * as singleChecks from '../db/single-checks.ts';
import { type AnswerOf, exampleOf } from '../schemas/check-types.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import type { Customer, Stack } from './stack.ts';
import { startSite } from './throughput.ts';

const rounds = 200;
const warmUp = 50;

/** One check while the caller waits, against the bare statements and the fetch. */
export async function benchSingle(stack: Stack): Promise<Figure[]> {
  const site = await startSite(0);
  const url = `http://127.0.0.1:${site.said}/page/1`;
  const customer = await stack.customer(1_000_000);
  const overHttp: number[] = [];
  const bareOnes: number[] = [];
  const bare = bareCheck(stack, customer, url);
  const check = async () => void (await stack.post(customer, '/http-status', { url }));
  for (let round = -warmUp; round < rounds; round++) {
    const [checkMs, bareMs] = [await timed(check), await timed(bare)];
    if (round < 0) continue;
    overHttp.push(checkMs);
    bareOnes.push(bareMs);
  }
  await site.stop();
  return [
    ratio('a single check, against its bare statements and fetch', [median(overHttp), median(bareOnes)], {
      atMost: 1.5,
      note: `${spread(overHttp)} against ${spread(bareOnes)}`,
    }),
  ];
}

function bareCheck({ connection: { db } }: Stack, { accountId }: Customer, url: string): () => Promise<void> {
  const requestIds = createRequestIds(db);
  // Single checks share no connection either.
  const agent = new Agent();
  return async () => {
    const requestId = await requestIds.take(1);
    const check = { accountId, requestId, type: 'http' as const, input: { url } };
    await inTransaction(db, async (trx) => {
      await singleChecks.open(trx, check);
      await ledger.charge(trx, accountId, 1, { requestId });
      await singleChecks.countInFlight(trx, accountId);
    });
    const response = await fetch(url, { agent });
    readPage(await response.text());
    await inTransaction(db, async (trx) => {
      await ledger.balance(trx, accountId);
      const outcome = { ...exampleOf('http').answer, status: response.status } as AnswerOf<'http'>;
      await settle(trx, check, { outcome, tally: [] });
    });
  };
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}
