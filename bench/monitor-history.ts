import { sql } from 'kysely';
import type { MonitorRef } from '../db/monitors.ts';
import { httpAnswer } from '../test/support/answers.ts';
import { monitored } from '../test/support/monitored.ts';
import { type Figure, median, spread } from './figures.ts';
import { fillRanks, fillUnchanged } from './monitor-rows.ts';
import { processorSeconds, serverSeconds } from './processor.ts';
import type { Stack } from './stack.ts';

const subjects = 2_000;
const days = 365;
const hoursOfAYear = 8_760;
/** As many as show what a repeated answer costs. */
const settled = 10;
const subjectsMax = 10_000;
const longRuns = 5;
const rounds = 30;
const warmUp = 5;

/** What a monitor remembers: how soon it is shown, beside what the database takes for its rows, and what it weighs. */
export async function benchMonitorHistory(stack: Stack): Promise<Figure[]> {
  const { db } = stack.connection;
  const customer = await stack.customer(1);
  const ref = await fillRanks(db, customer.accountId, { subjects, days });
  const path = `/monitors/${ref.monitorId}`;
  const pages = await timesOf({
    series: async () => expectRows(await stack.get(customer, `${path}/series?per_page=366`), days),
    subjects: async () => expectRows(await stack.get(customer, `${path}/subjects?per_page=100`), 100),
    bareSeries: () => bareSeries(stack, ref),
    bareSubjects: () => bareSubjects(stack, ref),
  });
  return [
    figure(`/series of ${subjects} queries × ${days} runs`, pages.series, pages.bareSeries, 100),
    figure('a page of 100 of these queries, 90 days each', pages.subjects, pages.bareSubjects, 50),
    await longRun(stack),
    await bytes(stack),
  ];
}

/** The longest run there may be, a hundredth of which changed: so long its monitor is locked. */
async function longRun(stack: Stack): Promise<Figure> {
  const { db } = stack.connection;
  const { accountId } = await stack.customer(1);
  const urls = Array.from({ length: subjectsMax }, (_, n) => ({ url: `https://shop.example/articles/${n}` }));
  const pages = await monitored({ db }, accountId, 'http', urls);
  const answersOf = (run: number) =>
    urls.map((_, n) => httpAnswer(n % 100 === 0 ? { title: `Shoes, run ${run}` } : {}));
  const times: number[] = [];
  let heapBytes = 0;
  const before = await spent(stack);
  for (let run = 0; run <= longRuns; run++) {
    const heapBefore = process.memoryUsage().heapUsed;
    const startedAt = new Date(Date.now() + (run - longRuns) * 3_600_000);
    const { settledMs, changes } = await pages.run(startedAt, answersOf(run));
    if (run === 0) continue;
    if (changes !== subjectsMax / 100) throw new Error(`${changes} changes`);
    times.push(settledMs);
    heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed - heapBefore);
  }
  const after = await spent(stack);
  const each = ([from = 0, to = 0]: number[]) => ((to - from) / (longRuns + 1)).toFixed(1);
  return {
    what: `a run of ${subjectsMax} addresses is settled, a hundredth changed`,
    value:
      `${spread(times)}; with storing its answers ${each([before.ours, after.ours])} + ` +
      `${each([before.servers, after.servers])} s of processor, ours and Postgres's; heap ${Math.round(heapBytes / 2 ** 20)} MiB`,
    bar: null,
    isMet: true,
  };
}

async function spent({ connection: { db } }: Stack): Promise<{ ours: number; servers: number }> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return {
    ours: await processorSeconds(process.pid),
    servers: await serverSeconds(rows[0]?.pid ?? 0),
  };
}

function figure(what: string, over: number[] = [], bare: number[] = [], msMax: number): Figure {
  const value = `${spread(over)}; the bare query ${spread(bare)}`;
  return { what, value, bar: `< ${msMax} ms`, isMet: median(over) < msMax };
}

function expectRows({ data }: Record<string, unknown>, rows: number): void {
  if ((data as unknown[] | undefined)?.length !== rows) throw new Error(`not ${rows} rows`);
}

/** Rows as pg hands them over, without a word of ours. */
async function bareSeries(
  { connection: { pool } }: Stack,
  { accountId, monitorId }: MonitorRef,
): Promise<void> {
  await pool.query(
    'select run_id, at, tally from run_tallies where account_id = $1 and monitor_id = $2 order by at desc limit 366',
    [accountId, monitorId],
  );
}

async function bareSubjects(
  { connection: { pool } }: Stack,
  { accountId, monitorId }: MonitorRef,
): Promise<void> {
  await pool.query(
    `select subject_id, first_at, last_at, value, flags from points
     where account_id = $1 and first_at > now() - interval '90 days' and subject_id = any (array(
       select subject_id from subjects where account_id = $1 and monitor_id = $2 order by position limit 100))`,
    [accountId, monitorId],
  );
}

/** Milliseconds of each act, in turn, so that none has the better moments. */
async function timesOf(acts: Record<string, () => Promise<void>>): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  for (let round = -warmUp; round < rounds; round++) {
    for (const [what, act] of Object.entries(acts)) {
      const startedMs = performance.now();
      await act();
      times[what] ??= [];
      if (round >= 0) times[what].push(performance.now() - startedMs);
    }
  }
  return times;
}

/** What is left of a year of runs that found nothing new, once the results of its batches have expired. */
async function bytes(stack: Stack): Promise<Figure> {
  const { db } = stack.connection;
  const tables = ['points', 'baselines', 'changes', 'run_tallies'];
  const sizes = async () => {
    const { rows } = await sql<{ name: string; bytes: number }>`
      select name, pg_total_relation_size(name::regclass) as bytes from unnest(${tables}::text[]) as name`.execute(
      db,
    );
    return new Map(rows.map((row) => [row.name, row.bytes]));
  };
  const before = await sizes();
  const { accountId } = await stack.customer(1);
  await fillUnchanged(db, accountId, { subjects, runs: hoursOfAYear, settled });
  const after = await sizes();
  const grown = tables.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)] as const);
  const total = grown.reduce((sum, [, size]) => sum + size, 0);
  const parts = grown.map(([name, size]) => `${name} ${Math.round(size / 1024)} KiB`).join(', ');
  return {
    what: `a year of ${subjects} unchanged addresses, hourly`,
    value: `${(total / 2 ** 20).toFixed(1)} MiB: ${parts}`,
    bar: null,
    isMet: true,
  };
}
