import { sql } from 'kysely';
import { fromKysely, type PgBoss } from 'pg-boss';
import * as window from '../batches/window.ts';
import { perform } from '../db/act.ts';
import { createBoss, queueOf } from '../db/queue.ts';
import { promise, serveSilence, withBacklog } from './backlog.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { evenInterrupted } from './interrupted.ts';
import { urls } from './site.ts';
import { type Customer, type Stack, startStack } from './stack.ts';
import { Meter, type Taken } from './stored/meter.ts';
import { fillWaiting } from './stored/waiting.ts';
import { startSite } from './throughput.ts';

/** So many are queued. */
const usualItems = 10_000_000;
const manyAccounts = 100;
const fetches = 31;
/** Before the first that counts. */
const warmUp = 3;
const fetchMs = 2;
/** Until a worker's heap is as large as it gets, also beside others who work on the machine. */
const warmMs = 60_000;
const queue = queueOf('http');

/**
 * What ten million queued items of one account do to the fetch of a worker's next job, to its memory, and to ten
 * addresses of somebody else; and to the fetch what as many of a hundred accounts do.
 */
export async function* benchQueued(only: string, items = usualItems): AsyncGenerator<Figure> {
  const site = await startSite(5);
  const silence = await serveSilence();
  const port = Number(site.said);
  const parts: Record<string, (stack: Stack) => Promise<Figure[]>> = {
    fetch: (stack) => fetchesBeside(stack, items, port),
    answering: (stack) => workerBeside(stack, { items, what: '', port, at: port }),
    silent: (stack) => workerBeside(stack, { items, what: ', which never answer', port, at: silence.port }),
  };
  try {
    for (const [name, part] of Object.entries(parts)) if (name.includes(only)) yield* await onStack(part);
  } finally {
    silence.server.close();
    await site.stop();
  }
}

/** On one of its own, so that nobody works on what is left of another. */
async function onStack(act: (stack: Stack) => Promise<Figure[]>): Promise<Figure[]> {
  const stack = await startStack();
  const stop = evenInterrupted(() => stack.stop());
  try {
    return await act(stack);
  } finally {
    await stop();
  }
}

/** Without a worker, which would take what is looked for. */
async function fetchesBeside(stack: Stack, items: number, port: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  const all: number[] = [];
  for (const accounts of [1, manyAccounts]) {
    const ids: number[] = [];
    const list = (index: number) => urls(port, 2000, `b${index}`);
    while (ids.length < accounts) {
      const customer = await stack.customer(items * 2);
      await stack.post(customer, '/http-status/bulk', { urls: list(1) });
      ids.push(customer.accountId);
    }
    await fillWaiting(urlOf(stack), ids, items, addressesOf(list));
    if (accounts === 1) await fillWindows(stack, ids);
    all.push(...ids);
    const more = accounts > 1 ? 'and as many of a hundred' : 'of one account';
    figures.push(...(await fetchFigures(stack, `${items} items queued ${more}`, all)));
  }
  return figures;
}

interface Beside {
  items: number;
  what: string;
  /** Where the stranger's addresses are, and where the others. */
  port: number;
  at: number;
}

async function workerBeside(stack: Stack, { items, what, port, at }: Beside): Promise<Figure[]> {
  const list = (index: number) => urls(at, 2000, `b${index}`);
  const fill = async (greedy: Customer) => {
    await stack.post(greedy, '/http-status/bulk', { urls: list(1) });
    await fillWaiting(urlOf(stack), [greedy.accountId], items, addressesOf(list));
  };
  const options = { credits: items * 2, fill, warmMs };
  const { memoryFew, memoryFull, times } = await withBacklog(stack, port, list, options);
  const note = `${memoryFull.toFixed(0)} MiB against ${memoryFew.toFixed(0)} MiB`;
  const name = `a worker's memory with ${items} items of one account queued${what}, against 2,000`;
  return [
    ratio(name, [memoryFull, memoryFew], { atMost: 1.2, note }),
    promise(`ten URLs beside ${items} of another account${what}`, times),
  ];
}

/** As it is when an account has worked alone; where a hundred wait for each other each has the fewest jobs. */
async function fillWindows(stack: Stack, accountIds: number[]): Promise<void> {
  await withBoss(stack, async (boss) => {
    for (const accountId of accountIds)
      await perform(stack.connection.db, window.fill(boss, { accountId, type: 'http' }));
  });
}

/** The next job while nobody holds what he may, and while all of these do. */
async function fetchFigures(stack: Stack, what: string, accountIds: number[]): Promise<Figure[]> {
  return withBoss(stack, async (boss) => {
    const free = await fetchTimes(stack, boss, []);
    const full = await fetchTimes(stack, boss, accountIds.map(String));
    return [
      fetchFigure(`the next job with ${what}`, free),
      fetchFigure('the same while all of them hold what they may', full),
    ];
  });
}

function fetchFigure(what: string, taken: Taken[]): Figure {
  const side = (name: keyof Taken) => taken.map((one) => one[name]);
  const value = `${spread(side('processorMs'))} of Postgres's processor, ${spread(side('ms'))} in all, ${spread(side('blocks'), 'blocks')}`;
  return { what, value, bar: `≤ ${fetchMs} ms`, isMet: median(side('processorMs')) <= fetchMs };
}

/** What is taken is put back before the next. */
async function fetchTimes(stack: Stack, boss: PgBoss, ignoreGroups: string[]): Promise<Taken[]> {
  const meter = new Meter(urlOf(stack));
  const options = { includeMetadata: true, ignoreGroups, db: fromKysely(meter.db) } as const;
  const taken: Taken[] = [];
  try {
    for (let nth = -warmUp; nth < fetches; nth++) {
      const one = await meter.take(() => boss.fetch(queue, options));
      if (nth >= 0) taken.push(one);
      await sql`
        update pgboss.job set state = 'created', started_on = null, retry_count = 0
        where name = ${queue} and state = 'active'`.execute(meter.db);
    }
  } finally {
    await meter.connection.close();
  }
  return taken;
}

async function withBoss<T>(stack: Stack, act: (boss: PgBoss) => Promise<T>): Promise<T> {
  const boss = createBoss({ url: urlOf(stack), backend: 'postgres', max: 1, role: 'web' });
  boss.on('error', () => {});
  await boss.start();
  try {
    return await act(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

function urlOf({ config }: Stack): string {
  return config.database.directUrl;
}

/** The n-th address of lists of 2,000. */
function addressesOf(list: (index: number) => string[]): (nth: number) => string {
  const known = { index: -1, addresses: [] as string[] };
  return (nth) => {
    const index = 2 + Math.floor(nth / 2000);
    if (index !== known.index) Object.assign(known, { index, addresses: list(index) });
    return known.addresses[nth % 2000] ?? '';
  };
}
