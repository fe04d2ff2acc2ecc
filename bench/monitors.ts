import { sql } from 'kysely';
import { createAllowance } from '../accounts/allowance.ts';
import { clock } from '../db/clock.ts';
import type { Db } from '../db/connect.ts';
import { findDue } from '../db/due-monitors.ts';
import { createBoss } from '../db/queue.ts';
import { createRequestIds } from '../db/request-ids.ts';
import { type Passed, pass } from '../monitors/pass.ts';
import type { Starter } from '../monitors/start-due.ts';
import { fillMonitors, fillSubjects, letFallDue, type Made } from './due-monitors.ts';
import { type Figure, median, spread } from './figures.ts';
import { load } from './machine.ts';
import { planOf } from './plans.ts';
import { processorSeconds, serverSeconds } from './processor.ts';
import type { Stack } from './stack.ts';

const monitors = 100_000;
const accounts = 1_000;
const due = 10_000;
const subjectsEach = 10;
const rounds = 30;
const warmUp = 5;

/** What it takes to look for what is due among many monitors, and to start runs of many at once; no worker checks. */
export async function benchMonitors(stack: Stack): Promise<Figure[]> {
  const { db } = stack.connection;
  // The bench alone looks for what is due.
  await sql`insert into chores (chore, done_at) values ('monitors', now() + interval '1 day')
    on conflict (chore) do update set done_at = excluded.done_at`.execute(db);
  const accountIds: number[] = [];
  for (let nth = 0; nth < accounts; nth++) accountIds.push((await stack.customer(10_000)).accountId);
  const made = await fillMonitors(db, accountIds, monitors);
  const dueOnes = made.monitors.slice(0, due);
  await fillSubjects(db, dueOnes, subjectsEach);
  await sql`vacuum analyze monitors, subjects, accounts`.execute(db);
  const { url, backend } = stack.config.database;
  const boss = createBoss({ url, backend, max: 1, role: 'web' });
  await boss.start();
  try {
    const allowance = createAllowance(db, { isOff: true });
    const starter = {
      ...{ db, boss, allowance, mail: 'off' as const },
      requestIds: createRequestIds(db),
      baseUrl: stack.baseUrl,
    };
    const nothing = await nothingDue(stack, starter);
    await letFallDue(db, dueOnes);
    await sql`vacuum analyze monitors`.execute(db);
    const plan = await planOf(db, async (explaining) => findDue(explaining, await clock(db), 500));
    return [
      nothing,
      { what: 'how what is due is found', value: plan.join(' > '), bar: null, isMet: true },
      { what: 'a next due time', value: `${made.dueTimeMs.toFixed(2)} ms`, bar: null, isMet: true },
      ...(await manyDue(stack, starter, dueOnes)),
    ];
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function nothingDue({ connection: { pool } }: Stack, starter: Starter): Promise<Figure> {
  const passes: number[] = [];
  const bare: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const passMs = await msOf(() => passOnce(starter));
    const bareMs = await msOf(() =>
      pool.query('select account_id, monitor_id from monitors where next_run_at <= now() limit 500'),
    );
    if (round < 0) continue;
    passes.push(passMs);
    bare.push(bareMs);
  }
  return {
    what: `a pass over ${monitors} monitors of which none is due`,
    value: `${spread(passes)}; the bare query ${spread(bare)}`,
    bar: '< 50 ms',
    isMet: median(passes) < 50,
  };
}

/** All of them fall due in one minute. */
async function manyDue(stack: Stack, starter: Starter, dueOnes: Made[]): Promise<Figure[]> {
  const { db } = stack.connection;
  const bare = await bareTransactions(stack, dueOnes.slice(0, 500));
  const { eachMs, ours, servers, walBytes, passed } = await passTimed(starter);
  if (passed.started !== due) throw new Error(`${passed.started} of ${due} started`);
  const { rows } = await sql<{ lastSeconds: number; jobs: number }>`
    select extract(epoch from max(started_at) - min(due_at))::float8 as last_seconds,
      (select count(*) from pgboss.job where name like 'check%' and state = 'created') as jobs
    from monitor_runs`.execute(db);
  const late = rows[0]?.lastSeconds ?? Number.NaN;
  const { rows: sizes } = await sql<{ name: string; bytes: number }>`
    select name, pg_total_relation_size(name::regclass) / ${due}::int as bytes
    from unnest(array['monitor_runs', 'batches', 'ledger_entries']) as name`.execute(db);
  return [
    {
      what: `${due} monitors of ${accounts} accounts, ${subjectsEach} addresses each, due in one minute: each`,
      value: `${spread(eachMs)}; a bare transaction of one row ${spread(bare)}`,
      bar: '≤ 10 ms',
      isMet: median(eachMs) <= 10,
    },
    {
      what: 'what it takes for each of them',
      value:
        `${((ours * 1000) / due).toFixed(1)} + ${((servers * 1000) / due).toFixed(1)} ms of processor, ours and Postgres's; ` +
        `${Math.round(walBytes / due)} bytes of write-ahead log; load ${load()}`,
      bar: null,
      isMet: true,
    },
    {
      what: 'bytes that a run leaves for good, with their indexes',
      value: sizes.map(({ name, bytes }) => `${name} ${bytes}`).join(', '),
      bar: null,
      isMet: true,
    },
    { what: 'the last of them begins after', value: `${late.toFixed(0)} s`, bar: null, isMet: true },
  ];
}

/** Milliseconds of each monitor, by looks of 500; seconds of processor and bytes of all of them. */
async function passTimed(starter: Starter) {
  const eachMs: number[] = [];
  const before = await spent(starter.db);
  let begunMs = performance.now();
  const stepped = async () => {
    eachMs.push((performance.now() - begunMs) / 500);
    begunMs = performance.now();
  };
  const passed = await passOnce(starter, stepped);
  const after = await spent(starter.db);
  return {
    ...{ eachMs, passed },
    ours: after.ours - before.ours,
    servers: after.servers - before.servers,
    walBytes: after.walBytes - before.walBytes,
  };
}

/** All so far. */
async function spent(db: Db): Promise<{ ours: number; servers: number; walBytes: number }> {
  const { rows } = await sql<{ walBytes: number; pid: number }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as wal_bytes, pg_backend_pid() as pid`.execute(
    db,
  );
  const [{ walBytes, pid } = { walBytes: 0, pid: 0 }] = rows;
  return { ours: await processorSeconds(process.pid), servers: await serverSeconds(pid), walBytes };
}

/** What a commit costs that does nothing but lock a monitor and write it. */
async function bareTransactions({ connection: { pool } }: Stack, some: Made[]): Promise<number[]> {
  const client = await pool.connect();
  const times: number[] = [];
  for (const { accountId, monitorId } of some) {
    const startedMs = performance.now();
    const which = [accountId, monitorId];
    await client.query('begin');
    await client.query(
      'select * from monitors where account_id = $1 and monitor_id = $2 for no key update',
      which,
    );
    await client.query(
      'update monitors set last_run_at = last_run_at where account_id = $1 and monitor_id = $2',
      which,
    );
    await client.query('commit');
    times.push(performance.now() - startedMs);
  }
  client.release();
  return times;
}

function passOnce(starter: Starter, stepped = async () => {}): Promise<Passed> {
  const failed = (error: unknown) => {
    throw error;
  };
  return pass(starter, { failed, signal: new AbortController().signal, stepped });
}

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}
