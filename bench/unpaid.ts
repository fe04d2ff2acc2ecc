import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Crowd } from './crowd.ts';
import type { Figure } from './figures.ts';
import { freeActs } from './free-acts.ts';
import { largeBodies, pathOf } from './large-bodies.ts';
import { disperse, startCrowd } from './neighbours/processes.ts';
import { processorSeconds, serverSeconds } from './processor.ts';
import { type Customer, type Stack, startStack } from './stack.ts';

/** A window of the rate limits, a minute, but for its end: what is let in by the next is not of this minute. */
const windowMs = 57_000;

const asks: Record<string, Partial<Crowd>> = {
  ...Object.fromEntries(
    Object.keys(largeBodies).map((kind) => [kind, { path: pathOf(kind), largeBody: kind, atOnce: 4 }]),
  ),
  'entries that do not fit and are kept': { path: '/http-status/bulk', body: misfits(), atOnce: 4 },
  'requests for nothing': { path: '/http-status', body: '{"url":"https://a.example/"}', atOnce: 20 },
  'its own balance': { path: '/credits', atOnce: 20 },
};

/** As long a list of as long entries as there may be, each kept as a failed item. */
function misfits(): string {
  return JSON.stringify({ urls: Array(2000).fill(`no ${'x'.repeat(300)}`), on_invalid: 'skip' });
}

/**
 * Seconds of the processor, web's and Postgres's, that an account without a credit takes in a minute, asking on
 * whatever it is told, and what is stored of that; beside them a minute in which nobody asks.
 */
export async function* benchUnpaid(only: string): AsyncGenerator<Figure> {
  const stack = await startStack({ RATE_LIMIT_PER_MINUTE: '600' });
  try {
    yield await quiet(stack);
    for (const [what, ask] of Object.entries(asks))
      if (what.includes(only)) yield await figureOf(stack, what, async () => ask);
    for (const [what, act] of Object.entries(freeActs))
      if (`free: ${what}`.includes(only)) yield await figureOf(stack, `free: ${what}`, act);
  } finally {
    await stack.stop();
  }
}

async function quiet(stack: Stack): Promise<Figure> {
  const before = await spent(stack);
  await pause(windowMs);
  return figure('nobody asks', before, await spent(stack), {});
}

async function figureOf(
  stack: Stack,
  what: string,
  toAsk: (customer: Customer, stack: Stack) => Promise<Partial<Crowd>>,
): Promise<Figure> {
  const customer = await stack.customer(0);
  const ask = await toAsk(customer, stack);
  const before = await spent(stack);
  const baseUrl = `${stack.baseUrl}/api/v1`;
  const crowd = await startCrowd({ baseUrl, callers: [customer], atOnce: 1, path: '', ...ask });
  await pause(windowMs);
  const statuses = await disperse(crowd);
  return figure(`without a credit: ${what}`, before, await spent(stack), statuses);
}

interface Spent {
  web: number;
  postgres: number;
  storedBytes: number;
}

async function spent({ webPid, connection }: Stack): Promise<Spent> {
  const { rows } = await sql<{ bytes: string; pid: number }>`
    select sum(pg_total_relation_size(c.oid)) as bytes, pg_backend_pid() as pid from pg_class c
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(connection.db);
  const [web, postgres] = [await processorSeconds(webPid), await serverSeconds(rows[0]?.pid ?? 0)];
  return { web, postgres, storedBytes: Number(rows[0]?.bytes) };
}

function figure(what: string, before: Spent, after: Spent, statuses: Record<string, number>): Figure {
  const seconds = (of: 'web' | 'postgres') => (after[of] - before[of]).toFixed(1);
  const stored = ((after.storedBytes - before.storedBytes) / 1024 / 1024).toFixed(1);
  const processor = `${seconds('web')} s of the web’s processor in a minute, ${seconds('postgres')} of Postgres’s`;
  const value = `${processor}, ${stored} MiB stored, ${JSON.stringify(statuses)}`;
  return { what, value, bar: null, isMet: true };
}
