import { sql } from 'kysely';
import * as history from '../db/history.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { fillHistory, urlOfCheck } from './history-rows.ts';
import { planOf } from './plans.ts';
import type { Customer, Stack } from './stack.ts';

const rows = 1_000_000;
const perPage = 100;
const rounds = 100;
const warmUp = 20;

/**
 * Pages of a history of 1,000,000 checks, wherever they are, against a look-up of as many rows by primary
 * key.
 */
export async function benchLists(stack: Stack): Promise<Figure[]> {
  const { db } = stack.connection;
  const customer = await stack.customer(1);
  await fillHistory(db, (await stack.customer(1)).accountId, rows / 4);
  await fillHistory(db, customer.accountId, rows);
  const pages = await pagesOf(stack, customer);
  const times = await measure({
    lookUp: () => lookUp(stack, customer),
    ...Object.fromEntries(pages.map(([what, filter]) => [what, () => read(stack, customer, filter)])),
  });
  const lookUps = times.lookUp ?? [];
  const figures = pages.map(([what]) => {
    const note = `${spread(times[what] ?? [])} against ${spread(lookUps)}`;
    return ratio(what, [median(times[what] ?? []), median(lookUps)], { atMost: 3, note });
  });
  return [...figures, await plans(stack, customer, pages), ...(await overHttp(stack, customer))];
}

type Filter = Omit<Parameters<typeof history.list>[2], 'limit' | 'days'>;

const days = 1100;

async function pagesOf({ connection: { db } }: Stack, { accountId }: Customer): Promise<[string, Filter][]> {
  const type = 'index' as const;
  const at = async (requestId: number) => {
    const { checkedAt } = await db
      .selectFrom('history')
      .select('checkedAt')
      .where('accountId', '=', accountId)
      .where('requestId', '=', requestId)
      .executeTakeFirstOrThrow();
    return { checkedAt, requestId };
  };
  const [middle, late, end] = await Promise.all([at(rows / 2), at(rows / 2 + rows / 10), at(perPage + 1)]);
  return [
    ['the first page of a history of 1,000,000', { type }],
    ['its middle page, by cursor', { type, after: middle }],
    ['its last page, by cursor', { type, after: end }],
    ['the checks of one URL', { type, url: urlOfCheck(77) }],
    ['those of one URL from the middle on, by cursor', { type, url: urlOfCheck(77), after: middle }],
    ['those not indexed', { type, isIndexed: false }],
    ['those not indexed from the middle on, by cursor', { type, isIndexed: false, after: middle }],
    ['those of some days in the middle', { type, from: middle.checkedAt, to: late.checkedAt }],
    [
      'those of some days, not indexed only',
      { type, isIndexed: false, from: middle.checkedAt, to: late.checkedAt },
    ],
  ];
}

async function read({ connection: { db } }: Stack, { accountId }: Customer, filter: Filter): Promise<void> {
  const found = await history.list(db, accountId, { ...filter, days, limit: perPage });
  if (found.length !== perPage) throw new Error(`${found.length} rows`);
}

async function lookUp({ connection: { db } }: Stack, { accountId }: Customer): Promise<void> {
  const first = Math.floor(Math.random() * (rows - perPage)) + 1;
  const ids = Array.from({ length: perPage }, (_, index) => first + index);
  const found = await db
    .selectFrom('history')
    .select(['requestId', 'batchId', 'type', 'state', 'error', 'input', 'isIndexed', 'rank', 'checkedAt'])
    .where('accountId', '=', accountId)
    .where('requestId', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  if (found.length !== perPage) throw new Error(`${found.length} rows`);
}

/** Milliseconds of each act, in turn, so that none has the better moments. */
async function measure(acts: Record<string, () => Promise<void>>): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  for (let round = -warmUp; round < rounds; round++) {
    for (const [what, act] of Object.entries(acts)) {
      const startedMs = performance.now();
      await act();
      const tookMs = performance.now() - startedMs;
      times[what] ??= [];
      if (round >= 0) times[what].push(tookMs);
    }
  }
  return times;
}

async function plans(
  { connection: { db } }: Stack,
  { accountId }: Customer,
  pages: [string, Filter][],
): Promise<Figure> {
  const scans = new Set<string>();
  for (const [, filter] of pages) {
    const page = await planOf(db, (on) => history.list(on, accountId, { ...filter, days, limit: perPage }));
    const count = await planOf(db, (on) => history.count(on, accountId, { ...filter, days }, 10_001));
    for (const step of [...page, ...count]) if (/Scan|Sort/.test(step)) scans.add(step);
  }
  return {
    what: 'how they and their totals are read',
    value: [...scans].sort().join(', '),
    bar: 'no sequential scan of what holds rows',
    // Partitions that are empty are read as a whole.
    isMet: !scans.has('Seq Scan history_first'),
  };
}

/** With everything around it: the caller is found, and the list is counted. */
async function overHttp(stack: Stack, customer: Customer): Promise<Figure[]> {
  const path = `/history?per_page=${perPage}`;
  const tenth = await stack.get(customer, `${path}&page=${rows / perPage / 2}`);
  const times = await measure({
    first: async () => void (await stack.get(customer, path)),
    middle: async () => void (await stack.get(customer, `${path}&cursor=${tenth.next_cursor}`)),
  });
  const [first, middle] = [times.first ?? [], times.middle ?? []];
  const note = `${spread(middle)} against ${spread(first)}`;
  return [
    ratio('a middle page over HTTP, by cursor, against page 1', [median(middle), median(first)], {
      atMost: 1.5,
      note,
    }),
  ];
}
