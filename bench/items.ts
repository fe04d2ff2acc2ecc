import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Figure } from './figures.ts';
import { processorSeconds, serverSeconds } from './processor.ts';
import { siteUrls } from './site.ts';
import { type Customer, type Stack, startStack } from './stack.ts';
import { startSite } from './throughput.ts';

const each = <T>(entry: (nth: number) => T) => Array.from({ length: perBatch }, (_, nth) => entry(nth));

const batches = 5;
const perBatch = 2000;

/** Batches of each type, with distinct targets and keywords. */
const kinds: Record<string, { path: string; body(batch: number, sitePort: number): object }> = {
  http: {
    path: '/http-status/bulk',
    body: (batch, port) => ({ urls: siteUrls(port, perBatch, `small/${batch}`) }),
  },
  index: {
    path: '/check/bulk',
    body: (batch) => ({ urls: each((nth) => `https://indexed-${batch}-${nth}.example/`) }),
  },
  keyword: {
    path: '/keyword-track',
    body: (batch) => ({
      queries: each((nth) => ({
        keyword: `shoes ${batch} ${nth}`,
        url: 'rank-3.example',
        country: 'DE',
      })),
    }),
  },
};

/**
 * Measures the cost per item of a batch, from acceptance to the last poll. The cost consists of commits, WAL bytes,
 * disk bytes, and the CPU time of Postgres, worker and web. Usage while idle is subtracted. On a cluster (`citus`: see
 * `startStack`), commits, WAL, disk and the CPU time of Postgres are the coordinator's only.
 */
export async function* benchItems(only: string, citus?: string): AsyncGenerator<Figure> {
  const stack = await startStack({ PROVIDER_CONCURRENCY: '50' }, citus);
  const site = await startSite(0);
  try {
    const worker = await stack.startWorker();
    const customer = await stack.createCustomer(10_000_000);
    const readUsage = () => getUsage(stack, worker.pid);
    const runBatch = (kind: string, batch: number) => submit(stack, customer, kind, batch, Number(site.said));
    for (const kind of Object.keys(kinds)) await runBatch(kind, batches);
    const idle = await measureIdle(readUsage);
    for (const kind of Object.keys(kinds).filter((name) => name.includes(only))) {
      const before = await readUsage();
      for (let batch = 0; batch < batches; batch++) await runBatch(kind, batch);
      yield toFigure(kind, before, await readUsage(), idle);
    }
  } finally {
    await site.stop();
    await stack.stop();
  }
}

async function submit(
  stack: Stack,
  customer: Customer,
  kind: string,
  batch: number,
  sitePort: number,
): Promise<void> {
  const { path, body } = kinds[kind] as (typeof kinds)[string];
  const { status, body: accepted } = await stack.post(customer, path, body(batch, sitePort));
  if (status !== 202) throw new Error(JSON.stringify(accepted));
  await stack.waitUntilEnded(customer, String(accepted.batch_id));
}

/** Totals so far, or averages per millisecond or item. */
interface Usage {
  ms: number;
  commits: number;
  walBytes: number;
  /** Tables with their indexes, without the queue, whose rows are not kept. */
  diskBytes: number;
  databaseSeconds: number;
  workerSeconds: number;
  webSeconds: number;
}

async function getUsage({ connection: { db }, webPid }: Stack, workerPid: number): Promise<Usage> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ commits: number; walBytes: number; diskBytes: number; pid: number }>`
    select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as wal_bytes,
      (select sum(pg_total_relation_size(oid))::bigint from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace) as disk_bytes,
      pg_backend_pid() as pid`.execute(db);
  const [{ pid, ...counted } = { commits: 0, walBytes: 0, diskBytes: 0, pid: 0 }] = rows;
  return {
    ms: performance.now(),
    ...counted,
    databaseSeconds: await serverSeconds(pid),
    workerSeconds: await processorSeconds(workerPid),
    webSeconds: await processorSeconds(webPid),
  };
}

const idleMs = 20_000;

/** Returns the usage per millisecond while idle. */
async function measureIdle(readUsage: () => Promise<Usage>): Promise<Usage> {
  const before = await readUsage();
  await pause(idleMs);
  const after = await readUsage();
  const ms = after.ms - before.ms;
  return mapUsage(after, (value, name) => (value - before[name]) / ms);
}

function toFigure(kind: string, before: Usage, after: Usage, idle: Usage): Figure {
  const ms = after.ms - before.ms;
  const itemCount = batches * perBatch;
  const each = mapUsage(after, (value, name) => (value - before[name] - idle[name] * ms) / itemCount);
  const { commits, walBytes, diskBytes, databaseSeconds, workerSeconds, webSeconds } = each;
  const milliseconds = [databaseSeconds, workerSeconds, webSeconds].map((s) => (s * 1000).toFixed(3));
  const value =
    `${commits.toFixed(2)} commits, ${Math.round(walBytes)} bytes of WAL, ` +
    `${Math.round(diskBytes)} of disk, ${milliseconds.join(' + ')} ms of Postgres + worker + web`;
  return { what: `an item of ${kind}`, value, bar: null, isMet: true };
}

function mapUsage(usage: Usage, map: (value: number, name: keyof Usage) => number): Usage {
  const mapped = Object.entries(usage).map(([name, value]) => [name, map(value, name as keyof Usage)]);
  return Object.fromEntries(mapped) as unknown as Usage;
}
