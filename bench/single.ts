import { Agent } from 'node:http';
import { sql } from 'kysely';
import fetch from 'node-fetch';
import { readPage } from '../checks/page/read-page.ts';
import { createRequestIds } from '../db/batches/request-ids.ts';
import { getExample } from '../schemas/check-types.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import type { Customer, Stack } from './stack.ts';
import { startSite } from './throughput.ts';

const rounds = 200;
const warmUp = 50;
const clients = 32;
const concurrentRounds = 5;
const checksEach = 20;

/** Measures a single check against bare statements and a fetch. */
export async function benchSingle(stack: Stack): Promise<Figure[]> {
  const site = await startSite(0);
  const url = `http://127.0.0.1:${site.said}/page/1`;
  const customer = await stack.createCustomer(1_000_000);
  const overHttp: number[] = [];
  const bareRuns: number[] = [];
  const bare = createBareCheck(stack, customer, url);
  const check = async () => void (await stack.post(customer, '/http-status', { url }));
  for (let round = -warmUp; round < rounds; round++) {
    const [checkMs, bareMs] = [await timed(check), await timed(bare)];
    if (round < 0) continue;
    overHttp.push(checkMs);
    bareRuns.push(bareMs);
  }
  const concurrent = await measureConcurrent(stack, url);
  await site.stop();
  return [
    ratio('a single check, against three bare statements and a fetch', [median(overHttp), median(bareRuns)], {
      atMost: 2.5,
      note: `${spread(overHttp)} against ${spread(bareRuns)}`,
    }),
    ratio(`${clients} callers at once, checks a second against the same`, concurrent.medians, {
      atLeast: 0.35,
      note: concurrent.note,
    }),
  ];
}

/**
 * Measures concurrent callers, each with its own account, because one account may have only twenty checks in flight.
 */
async function measureConcurrent(
  stack: Stack,
  url: string,
): Promise<{ medians: [number, number]; note: string }> {
  const customers = await Promise.all(Array.from({ length: clients }, () => stack.createCustomer(1_000_000)));
  const checks = customers.map((customer) => async () => {
    const { status, body } = await stack.post(customer, '/http-status', { url });
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  });
  const bareRuns = customers.map((customer) => createBareCheck(stack, customer, url));
  const rates = { checks: [] as number[], bare: [] as number[] };
  for (let round = -1; round < concurrentRounds; round++) {
    const [ours, bare] = [await measureRate(checks), await measureRate(bareRuns)];
    if (round < 0) continue;
    rates.checks.push(ours);
    rates.bare.push(bare);
  }
  return {
    medians: [median(rates.checks), median(rates.bare)],
    note: `${spread(rates.checks, 'a second')} against ${spread(rates.bare, 'a second')}`,
  };
}

/** Returns the rate per second when each caller repeats its request without a pause. */
async function measureRate(callers: Array<() => Promise<void>>): Promise<number> {
  const startedMs = performance.now();
  await Promise.all(
    callers.map(async (request) => {
      for (let nth = 0; nth < checksEach; nth++) await request();
    }),
  );
  return (callers.length * checksEach * 1000) / (performance.now() - startedMs);
}

/** Returns a function that makes the fetch of a check and runs its three statements without a transaction. */
function createBareCheck(
  { connection: { db } }: Stack,
  { accountId }: Customer,
  url: string,
): () => Promise<void> {
  const requestIds = createRequestIds(db);
  // Opens a connection for each request, like a single check.
  const agent = new Agent();
  return async () => {
    const requestId = await requestIds.reserve(1);
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
    const outcome = { ...getExample('http').answer, status: response.status };
    await sql`
      insert into items (account_id, request_id, type, state, input, outcome)
      values (${accountId}, ${requestId}, 'http', 'success', ${JSON.stringify({ url })}, ${JSON.stringify(outcome)})
    `.execute(db);
  };
}

async function timed(callback: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await callback();
  return performance.now() - startedMs;
}
