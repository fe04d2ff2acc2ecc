import { Agent } from 'node:http';
import { sql } from 'kysely';
import fetch from 'node-fetch';
import { readPage } from '../checks/page/read-page.ts';
import { createRequestIds } from '../db/request-ids.ts';
import { exampleOf } from '../schemas/check-types.ts';
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

/** Three statements that a check cannot do without, each by itself, and the fetch; nothing is held to any promise. */
function bareCheck({ connection: { db } }: Stack, { accountId }: Customer, url: string): () => Promise<void> {
  const requestIds = createRequestIds(db);
  // Single checks share no connection either.
  const agent = new Agent();
  return async () => {
    const requestId = await requestIds.take(1);
    const { rows } = await sql<{ credits: number; entries: number }>`
      update accounts set credits = credits - 1, entries = entries + 1 where account_id = ${accountId}
      returning credits, entries`.execute(db);
    const [account] = rows;
    await sql`
      insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, request_id)
      values (${accountId}, ${account?.entries}, 'charge', -1, ${account?.credits}, ${requestId})`.execute(
      db,
    );
    const response = await fetch(url, { agent });
    readPage(await response.text());
    const outcome = { ...exampleOf('http').answer, status: response.status };
    await sql`
      insert into items (account_id, request_id, type, state, input, outcome)
      values (${accountId}, ${requestId}, 'http', 'success', ${JSON.stringify({ url })}, ${JSON.stringify(outcome)})
    `.execute(db);
  };
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}
