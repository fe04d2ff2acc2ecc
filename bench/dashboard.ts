import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import * as sessions from '../db/sessions.ts';
import * as users from '../db/users.ts';
import { fillAccount } from './dashboard-rows.ts';
import { type Figure, median, spread } from './figures.ts';
import type { Customer, Stack } from './stack.ts';

const batches = 500;
const rounds = 40;
const pageMsMax = 50;
const openDashboards = 20;
const watchedMs = 20_000;
const pollShareMax = 0.02;
const ticksPerSecond = 100;

/** Every page of the dashboard with 1,000,000 items stored, and what dashboards that are left open cost. */
export async function benchDashboard(stack: Stack): Promise<Figure[]> {
  const { db } = stack.connection;
  const customer = await stack.customer(3_000_000);
  await fillAccount(db, customer.accountId, batches);
  // As autovacuum would.
  await sql`vacuum analyze`.execute(db);
  const cookie = await signIn(stack, customer);
  const read = async (path: string) => {
    const response = await fetch(`${stack.baseUrl}${path}`, { headers: { Cookie: cookie } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return text;
  };
  // No worker runs, so it stays open and there is something to poll.
  const running = await stack.post(customer, '/check/bulk', { urls: urls(500) });
  const figures: Figure[] = [];
  for (const [what, path] of await pagesOf(stack, customer, String(running.body.batch_id))) {
    figures.push(await measurePage(what, () => read(path)));
  }
  return [...figures, await measurePolls(stack, customer, cookie)];
}

async function pagesOf({ connection: { db } }: Stack, { accountId }: Customer, running: string) {
  const one = async (type: 'http' | 'index' | 'keyword') => {
    const found = await db
      .selectFrom('batches')
      .select('batchId')
      .where('accountId', '=', accountId)
      .where('type', '=', type)
      .where('completedAt', 'is not', null)
      .orderBy('createdAt')
      .executeTakeFirstOrThrow();
    return `/batches/${found.batchId}`;
  };
  const [http, index, keyword] = [await one('http'), await one('index'), await one('keyword')];
  return [
    ['/', '/'],
    ['/batches', '/batches'],
    ['/batches, page 10', '/batches?page=10'],
    ['a running batch', `/batches/${running}`],
    ['a batch of addresses', http],
    ['its soft 404s', `${http}?show=soft404`],
    ['its search', `${http}?q=199&sort=answer&order=desc`],
    ['an index batch, page 40', `${index}?page=40`],
    ['a rank batch by rank', `${keyword}?sort=answer`],
    ['/ranks', '/ranks'],
    ['/tokens', '/tokens'],
    ['/credits', '/credits'],
    ['/webhooks', '/webhooks'],
    ['/settings', '/settings'],
  ] as const;
}

async function measurePage(what: string, read: () => Promise<unknown>): Promise<Figure> {
  for (let round = 0; round < 5; round++) await read();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now();
    await read();
    times.push(performance.now() - startedMs);
  }
  return { what, value: spread(times), bar: `< ${pageMsMax} ms`, isMet: median(times) < pageMsMax };
}

/**
 * Processor time of web and of Postgres while dashboards with a running batch are open and nothing changes.
 */
async function measurePolls(stack: Stack, customer: Customer, cookie: string): Promise<Figure> {
  const home = await fetch(`${stack.baseUrl}/`, { headers: { Cookie: cookie } });
  const [, poll, seconds] =
    /hx-get="(\/running\?seen=[^"]+)" hx-trigger="every (\d+)s"/.exec(await home.text()) ?? [];
  const pollEveryMs = Number(seconds) * 1000;
  if (!poll) throw new Error(`account ${customer.accountId} has nothing running`);
  const pids = [stack.webPid, ...(await backendsOf(stack))];
  const before = processorSeconds(pids);
  const startedMs = performance.now();
  const open = Array.from({ length: openDashboards }, async (_, index) => {
    await pause((index * pollEveryMs) / openDashboards);
    while (performance.now() - startedMs < watchedMs) {
      const headers = { Cookie: cookie, 'HX-Request': 'true' };
      const { status } = await fetch(`${stack.baseUrl}${poll}`, { headers });
      if (status !== 204) throw new Error(`a poll answered ${status}`);
      await pause(pollEveryMs);
    }
  });
  await Promise.all(open);
  const share = (processorSeconds(pids) - before) / ((performance.now() - startedMs) / 1000);
  return {
    what: `${openDashboards} open dashboards, web and Postgres together`,
    value: `${(share * 100).toFixed(1)} % of a core`,
    bar: `< ${pollShareMax * 100} %`,
    isMet: share < pollShareMax,
  };
}

async function backendsOf({ connection: { db } }: Stack): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'sonde'`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** User and system time so far (proc_pid_stat(5)); Linux only. */
function processorSeconds(pids: number[]): number {
  const ticks = pids.map((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    } catch {
      return 0;
    }
  });
  return ticks.reduce((sum, value) => sum + value, 0) / ticksPerSecond;
}

async function signIn({ connection: { db } }: Stack, { accountId }: Customer): Promise<string> {
  const userId = await users.create(db, { accountId, email: 'bench@example.com', passwordHash: null });
  return `sonde_session=${await sessions.begin(db, userId)}`;
}

function urls(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://indexed.example/${index}`);
}
